-- Each request takes the next line of the file RECORDS, beginning anywhere. A line's fields, between tabs, replace {1} and {2}.
local parts, places, fields = {}, {}, {}
local file

function init()
  math.randomseed(tonumber(os.getenv('SEED')))
  file = assert(io.open(os.getenv('RECORDS'), 'rb'))
  file:seek('set', math.random(0, file:seek('end')))
  file:read()
  local text, start = wrk.format(), 1
  while true do
    local from, to, field = text:find('{(%d)}', start)
    parts[#parts + 1] = text:sub(start, (from or 0) - 1)
    if not from then break end
    parts[#parts + 1] = ''
    places[#places + 1] = #parts
    fields[#places] = tonumber(field)
    start = to + 1
  end
end

function request()
  local line = file:read()
  if not line then
    file:seek('set', 0)
    line = file:read()
  end
  local first, second = line:match('^([^\t]*)\t?(.*)$')
  for i = 1, #places do parts[places[i]] = fields[i] == 1 and first or second end
  return table.concat(parts)
end

function done(summary)
  local errors = summary.errors
  print(string.format('RESULT {"requests":%d,"seconds":%f,"failed":%d}', summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status))
end
