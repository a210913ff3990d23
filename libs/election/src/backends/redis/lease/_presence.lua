-- The channel to which the instance behind an owner, `<candidate id>:<incarnation>:<number>`, listens while it lives.
local function presenceOf(prefix, owner)
  return prefix .. (string.match(owner, '^(.*):[^:]*$') or owner)
end
