-- Every run of wrk uses this. Without RECORDS the request is always the same, and wrk builds it once.
-- With RECORDS, a file of records of one length, {record} in the request is replaced by a record:
-- ORDER=random takes any of the first COUNT, ORDER=next takes one after the other, beginning with FROM.
-- After the last comes the first again.
local path = os.getenv('RECORDS')

if path then
  local length = tonumber(os.getenv('RECORD_LENGTH'))
  local count = tonumber(os.getenv('COUNT'))
  local random = os.getenv('ORDER') == 'random'
  local position = tonumber(os.getenv('FROM'))
  local parts = {}
  local file
  used = 0

  function init()
    file = assert(io.open(path, 'rb'))
    math.randomseed(tonumber(os.getenv('SEED')))
    file:seek('set', (position % count) * length)
    local text, start = wrk.format(), 1
    while true do
      local from, to = text:find('{record}', start, true)
      parts[#parts + 1] = text:sub(start, (from or 0) - 1)
      if not from then break end
      start = to + 1
    end
  end

  function request()
    if random then
      file:seek('set', math.random(0, count - 1) * length)
    elseif position > 0 and position % count == 0 then
      file:seek('set', 0)
    end
    position = position + 1
    used = used + 1
    return table.concat(parts, file:read(length))
  end
end

local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
end

function done(summary)
  local taken = 0
  for _, thread in ipairs(threads) do taken = taken + (thread:get('used') or 0) end
  local errors = summary.errors
  print(string.format('RESULT {"requests":%d,"microseconds":%d,"failed":%d,"refused":%d,"used":%d}', summary.requests,
    summary.duration, errors.connect + errors.read + errors.write + errors.timeout, errors.status, taken))
end
