-- Every run of wrk uses this. Without RECORDS the request is always the same, and wrk builds it once.
-- With RECORDS, a file, {record} in the request is replaced by a record. With RECORD_LENGTH all have that length:
-- ORDER=random takes any of the first COUNT, ORDER=next takes one after the other, beginning with FROM.
-- Without RECORD_LENGTH each line is a record, taken one after the other, beginning behind the byte FROM.
-- After the last comes the first again. With LIMIT so many requests are made, and the time ends with them.
local path = os.getenv('RECORDS')
local limit = tonumber(os.getenv('LIMIT'))
local parts = {}
used = 0
took = 0

-- What gives the next record.
local function records()
  local length = tonumber(os.getenv('RECORD_LENGTH'))
  local count = tonumber(os.getenv('COUNT'))
  local random = os.getenv('ORDER') == 'random'
  local position = tonumber(os.getenv('FROM'))
  local file = assert(io.open(path, 'rb'))
  math.randomseed(tonumber(os.getenv('SEED')))
  if not length then
    if position > 0 then
      file:seek('set', position)
      file:read()
    end
    return function()
      local text = file:read()
      if text then return text end
      file:seek('set', 0)
      return file:read()
    end
  end
  file:seek('set', (position % count) * length)
  return function()
    if random then
      file:seek('set', math.random(0, count - 1) * length)
    elseif position > 0 and position % count == 0 then
      file:seek('set', 0)
    end
    position = position + 1
    return file:read(length)
  end
end

-- What is called before each request, and stops wrk at the limit.
local function counted()
  local ffi = require('ffi')
  ffi.cdef([[
    typedef struct { long seconds; long nanoseconds; } moment;
    int clock_gettime(int, moment *);
    int getpid(void);
    int kill(int, int);
  ]])
  local moment = ffi.new('moment')
  local function microseconds()
    ffi.C.clock_gettime(1, moment)
    return tonumber(moment.seconds) * 1e6 + tonumber(moment.nanoseconds) / 1e3
  end
  local began
  return function()
    -- The first one is only looked at by wrk, and not sent.
    if used == 2 then began = microseconds() end
    if used == limit + 1 then
      took = microseconds() - began
      wrk.thread:stop()
      -- SIGINT: wrk would sleep until its time is over.
      ffi.C.kill(ffi.C.getpid(), 2)
    end
  end
end

if path or limit then
  local record, count

  function init()
    if path then record = records() end
    if limit then count = counted() end
    local text, start = wrk.format(), 1
    while true do
      local from, to = text:find('{record}', start, true)
      parts[#parts + 1] = text:sub(start, (from or 0) - 1)
      if not from then break end
      start = to + 1
    end
  end

  function request()
    used = used + 1
    if count then count() end
    if not record then return parts[1] end
    return table.concat(parts, record())
  end
end

local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
end

function done(summary)
  local taken, limited = 0, 0
  for _, thread in ipairs(threads) do
    taken = taken + (thread:get('used') or 0)
    limited = thread:get('took') or 0
  end
  local errors = summary.errors
  print(string.format('RESULT {"requests":%d,"bytes":%d,"microseconds":%d,"failed":%d,"refused":%d,"used":%d}',
    summary.requests, summary.bytes, limited > 0 and limited or summary.duration,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status, taken))
end
