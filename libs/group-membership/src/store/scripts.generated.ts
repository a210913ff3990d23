// Generated from the Lua files of this folder by `npm run generate`. Do not edit.
export const swap = "\n\n\n\nlocal key = KEYS[1]\nlocal expected, next = ARGV[1], ARGV[2]\nlocal stored = redis.call('GET', key) or ''\nif stored ~= expected then\n  return 0\nend\nredis.call('SET', key, next)\nreturn 1\n";
