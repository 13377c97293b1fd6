-- Every run of wrk uses this. Without RECORDS the request is always the same, and wrk builds it once.
-- With RECORDS, a file, {record} in the request is replaced by a record. With RECORD_LENGTH all have that length:
-- ORDER=random takes any of the first COUNT, ORDER=next takes one after the other, beginning with FROM.
-- Without RECORD_LENGTH each line is a record, taken one after the other, beginning behind the byte FROM.
-- After the last comes the first again. With LIMIT so many requests are made, and the time ends with them.
local path = os.getenv('RECORDS')

if path then
  local length = tonumber(os.getenv('RECORD_LENGTH'))
  local count = tonumber(os.getenv('COUNT'))
  local random = os.getenv('ORDER') == 'random'
  local position = tonumber(os.getenv('FROM'))
  local limit = tonumber(os.getenv('LIMIT'))
  local parts = {}
  local file, now
  used = 0
  took = 0

  function init()
    file = assert(io.open(path, 'rb'))
    math.randomseed(tonumber(os.getenv('SEED')))
    if length then
      file:seek('set', (position % count) * length)
    elseif position > 0 then
      file:seek('set', position)
      file:read()
    end
    if limit then now = microseconds() end
    local text, start = wrk.format(), 1
    while true do
      local from, to = text:find('{record}', start, true)
      parts[#parts + 1] = text:sub(start, (from or 0) - 1)
      if not from then break end
      start = to + 1
    end
  end

  local function line()
    local text = file:read()
    if text then return text end
    file:seek('set', 0)
    return file:read()
  end

  local function record()
    if not length then return line() end
    if random then
      file:seek('set', math.random(0, count - 1) * length)
    elseif position > 0 and position % count == 0 then
      file:seek('set', 0)
    end
    position = position + 1
    return file:read(length)
  end

  local began
  local function keepTime()
    if used == 1 then began = now() end
    if used == limit then
      took = now() - began
      wrk.thread:stop()
    end
  end

  function request()
    used = used + 1
    if limit then keepTime() end
    return table.concat(parts, record())
  end
end

function microseconds()
  local ffi = require('ffi')
  ffi.cdef('typedef struct { long seconds; long nanoseconds; } moment; int clock_gettime(int, moment *);')
  local moment = ffi.new('moment')
  return function()
    ffi.C.clock_gettime(1, moment)
    return tonumber(moment.seconds) * 1e6 + tonumber(moment.nanoseconds) / 1e3
  end
end

local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
end

function done(summary)
  local taken, took = 0, 0
  for _, thread in ipairs(threads) do
    taken = taken + (thread:get('used') or 0)
    took = thread:get('took') or 0
  end
  local errors = summary.errors
  print(string.format('RESULT {"requests":%d,"bytes":%d,"microseconds":%d,"failed":%d,"refused":%d,"used":%d}',
    summary.requests, summary.bytes, took > 0 and took or summary.duration,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status, taken))
end
