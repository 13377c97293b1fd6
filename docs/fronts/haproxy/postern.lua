-- Asks the gate whether a request may pass. An error anywhere leaves txn.postern_verdict unset, and haproxy.cfg
-- refuses what has no decision.

local gate = "http://127.0.0.1:8972/api/authz/forward-auth/narrow"
local milliseconds = 5000

-- The gate's cookies, besides those that begin with postern_. If your auth.cookie_name is neither of these, add it.
local own_cookies = {
  ["session_token"] = true,
  ["frigate_token"] = true,
}

-- With auth.enabled: false, set this to false, so that the recorder gets bearer and API tokens.
local tokens_are_ours = true

-- An API token in Basic credentials is `:postern_` in base64, in one of three forms, by where it begins in a group of four letters.
local api_token_in_base64 = {
  "OnBvc3Rlcm5f",
  "[DTjz]pwb3N0ZXJuX[w-z0-9+/]",
  "[AEIMQUYcgkosw048]6cG9zdGVybl[89+/]",
}

-- Elsewhere, or with another scheme, its length identifies it too: in plain text, and in the three forms of its base64. The tokens of
-- screens and sessions follow.
local base64_behind = ("[%w+/_-]"):rep(56)
local base64_of_id = ("[%w+/_-]"):rep(48)
local own_token_anywhere = {
  "postern_" .. ("[%w_-]"):rep(43),
  "cG9zdGVybl[89+/_-]" .. base64_behind,
  "[HXn3]Bvc3Rlcm5f" .. base64_behind,
  "[BFJNRVZdhlptx159]wb3N0ZXJuX[w-z0-9+/_-]" .. base64_behind,
  "display_" .. ("[%w_-]"):rep(36),
  "ZGlzcGxheV" .. base64_of_id,
  "Rpc3BsYXlf" .. base64_of_id,
  "kaXNwbGF5X" .. base64_of_id,
  "[%w_-]%.eyJ",
  "ZXlKaGJHY2lPa",
  "V5SmhiR2NpT2",
  "leUpoYkdjaU9p",
  "ZXlKMGVYQWlPa",
  "V5SjBlWEFpT2",
  "leUowZVhBaU9p",
}

-- Headers of the client's connection and body: the authorization request has its own connection, and no body.
local left_out = {
  ["host"] = true,
  ["connection"] = true,
  ["keep-alive"] = true,
  ["proxy-connection"] = true,
  ["te"] = true,
  ["trailer"] = true,
  ["transfer-encoding"] = true,
  ["upgrade"] = true,
  ["expect"] = true,
  ["content-length"] = true,
}

-- HAProxy counts the lines of a header from 0.
local function lines_of(values)
  local lines = {}
  local i = 0
  while values[i] ~= nil do
    lines[#lines + 1] = values[i]
    i = i + 1
  end
  return lines
end

local function first(headers, name)
  local values = headers[name]
  return values and values[0] or ""
end

local function trimmed(text)
  return (text:gsub("^%s+", ""):gsub("%s+$", ""))
end

local function is_own_cookie(name)
  return own_cookies[name] or name:sub(1, 8) == "postern_"
end

local function has_any(text, forms)
  for _, form in ipairs(forms) do
    if text:find(form) then
      return true
    end
  end
  return false
end

local function has_token(authorization)
  local scheme = (authorization .. " "):lower():match("^(%a+)%s")
  return scheme == "bearer"
    or scheme == "basic" and has_any(authorization, api_token_in_base64)
    or has_any(authorization, own_token_anywhere)
end

-- Credentials for the gate end here: its cookies, and an Authorization with a bearer, an API token, or the token of a session or screen.
-- The recorder gets other cookies and any other Authorization.
local function drop_credentials(http, headers)
  http:req_del_header("cookie")
  for _, line in ipairs(headers["cookie"] or {}) do
    local others = {}
    for pair in line:gmatch("[^;]+") do
      if not is_own_cookie(trimmed(pair:match("^[^=]*"))) and trimmed(pair) ~= "" then
        others[#others + 1] = trimmed(pair)
      end
    end
    if #others > 0 then
      http:req_add_header("cookie", table.concat(others, "; "))
    end
  end
  for _, line in ipairs(headers["authorization"] or {}) do
    if tokens_are_ours and has_token(line) then
      http:req_del_header("authorization")
    end
  end
end

-- The client gets the gate's refusal unchanged, and its Retry-After where it can't decide right now.
local function refuse(txn, answer)
  local reply = txn:reply({ status = answer.status })
  for name, values in pairs(answer.headers) do
    if name ~= "connection" and name ~= "keep-alive" and name ~= "transfer-encoding" then
      for _, value in ipairs(lines_of(values)) do
        reply:add_header(name, value)
      end
    end
  end
  if txn.f:method() ~= "HEAD" then
    reply:set_body(answer.body or "")
  end
  txn:done(reply)
end

core.register_action("postern", { "http-req" }, function(txn)
  local headers = {}
  for name, values in pairs(txn.http:req_get_headers()) do
    if not left_out[name] then
      headers[name] = lines_of(values)
    end
  end
  headers["host"] = { "postern" }
  headers["x-forwarded-method"] = { txn.f:method() }
  headers["x-forwarded-uri"] = { txn.f:pathq() }

  local client = core.httpclient()
  local answer = client:get({ url = gate, headers = headers, timeout = milliseconds })

  -- Without an identity, an allowed request doesn't go to the recorder.
  if answer.status == 200 and first(answer.headers, "remote-user") ~= "" then
    txn:set_var("txn.postern_user", first(answer.headers, "remote-user"))
    txn:set_var("txn.postern_role", first(answer.headers, "remote-role"))
    txn:set_var("txn.postern_groups", first(answer.headers, "remote-groups"))
    txn:set_var("txn.postern_email", first(answer.headers, "remote-email"))
    txn:set_var("txn.postern_name", first(answer.headers, "remote-name"))
    if answer.headers["set-cookie"] then
      txn:set_var("txn.postern_cookie", first(answer.headers, "set-cookie"))
    end
    drop_credentials(txn.http, headers)
    -- For a list, the gate may narrow the query to the granted cameras.
    if answer.headers["x-postern-target"] then
      txn.http:req_set_uri(first(answer.headers, "x-postern-target"))
    end
    txn:set_var("txn.postern_verdict", "allow")
  elseif answer.status >= 300 and (answer.status < 500 or answer.headers["retry-after"]) then
    refuse(txn, answer)
  end
end, 0)

-- Drops cookies of the recorder that have the name of one of the gate's.
core.register_action("postern_answer", { "http-res" }, function(txn)
  local lines = lines_of(txn.http:res_get_headers()["set-cookie"] or {})
  txn.http:res_del_header("set-cookie")
  for _, line in ipairs(lines) do
    -- Browsers send a cookie without a name as its value alone.
    local pair = line:match("^[^;]*"):gsub("^%s*=", "")
    if not is_own_cookie(trimmed(pair:match("^[^=]*"))) then
      txn.http:res_add_header("set-cookie", line)
    end
  end
end, 0)
