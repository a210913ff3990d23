// Generated from the Lua files of this folder by `npm run generate`. Do not edit.
export const replaceDirective = "\n\n\n\n\n\nlocal directives = KEYS[1]\nlocal worker, before, after = ARGV[1], ARGV[2], ARGV[3]\n\nif (redis.call('HGET', directives, worker) or '') ~= before then return 0 end\nredis.call('HSET', directives, worker, after)\nreturn 1\n";
