-- The channel to which the process behind an owner, `<candidate id>:<number of the claim>`, listens while it lives.
local function presenceOf(prefix, owner)
  return prefix .. (string.match(owner, '^(.*):[^:]*$') or owner)
end
