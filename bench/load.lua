-- What wrk sends. Arguments: a file of paths to read, every how many requests one posts a review (0: never), a folder
-- with the files "writers" and "entries", and how many reviews were posted before. ORIGINS has an address for each thread.
local requests, writers, entries, posted, every = {}, {}, {}, 0, 0
local at = 0
-- How many addresses the requests come from, according to a proxy; 0: only that of the connection.
local clients = tonumber(os.getenv('CLIENTS') or '0')

local function rows(file)
  local read = {}
  for line in io.lines(file) do
    local row = {}
    for field in line:gmatch('[^\t]+') do row[#row + 1] = field end
    read[#read + 1] = row
  end
  return read
end

local addresses = {}
for host, port in (os.getenv('ORIGINS') or ''):gmatch('([%w.]+):(%d+)') do
  addresses[#addresses + 1] = { host, port }
end
local threads = 0

function setup(thread)
  threads = threads + 1
  thread.addr = wrk.lookup(addresses[threads][1], addresses[threads][2])[1]
end

-- Entry after entry, each time by another writer: no writer comes twice to an entry.
local function post()
  local entry = entries[posted % #entries + 1]
  local writer = writers[(math.floor(posted / #entries) + posted) % #writers + 1]
  posted = posted + 1
  local headers = { ['Content-Type'] = 'application/json', ['Authorization'] = 'Bearer ' .. writer[1] }
  local body = '{"' .. entry[2] .. '":{"id":' .. entry[3] .. '},"userId":' .. writer[2] .. ',"username":"' .. writer[3]
    .. '","rating":4.5,"review":"Number ' .. posted .. '. '
    .. ('The words of a review that somebody has taken some time to write. '):rep(4) .. '"}'
  return wrk.format('POST', entry[1], headers, body)
end

function init(args)
  every, posted = tonumber(args[2]), tonumber(args[4])
  math.randomseed(posted + 1)
  for _, row in ipairs(rows(args[1])) do requests[#requests + 1] = wrk.format('GET', row[1]) end
  if every > 0 then
    writers, entries = rows(args[3] .. '/writers'), rows(args[3] .. '/entries')
  end
  if clients > 0 then
    local paths = rows(args[1])
    for client = 1, clients do
      -- Each in a network of its own.
      local address = string.format('10.%d.%d.7', math.floor(client / 256), client % 256)
      wrk.headers['X-Forwarded-For'] = address
      requests[client] = wrk.format('GET', paths[client % #paths + 1][1])
    end
  end
  if every == 0 and #requests == 1 then
    wrk.path = rows(args[1])[1][1]
    return
  end
  request = function()
    at = at + 1
    if every > 0 and at % every == 0 then return post() end
    return requests[math.random(#requests)]
  end
end

function done(summary, latency)
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('\n{"requests":%d,"microseconds":%d,"refused":%d,"broken":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, errors.status, broken, latency:percentile(50), latency:percentile(99)))
end
