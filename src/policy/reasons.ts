/**
 * The reasons for decisions. Operators search logs and documents for these words, so they are stable; docs/reasons.md
 * explains each.
 */
export const reasons = {
  allowed: 'the role may do this',
  public: 'the path needs no identity',
  shared: 'the path is part of a share, and this browser has opened it',

  proxy_secret_missing: 'proxy.auth_secret is set and the request has no X-Proxy-Secret',
  proxy_secret_repeated: 'the request has several X-Proxy-Secret headers',
  proxy_secret_mismatch: "X-Proxy-Secret isn't the configured secret",
  trusted_header_repeated: 'a trusted header arrived more than once',
  trusted_header_alias: 'some servers would read this header as a trusted one: underscore or dot for hyphen',
  trusted_header_hop_by_hop: 'Connection lists a trusted header, so a proxy on the way would drop it',
  user_missing: 'the header named by proxy.header_map.user is missing or empty',
  user_malformed: "the user header isn't 1 to 256 visible characters of UTF-8",
  user_reserved: 'the user header has a reserved name: anonymous or postern',
  groups_malformed: "the role header has control characters or isn't UTF-8",
  no_role: 'the user gets no role from groups, name or proxy.default_role, or a group maps to `none`',
  no_session: 'the request has no session token',
  token_ambiguous: 'the request has several different session tokens',
  token_invalid: "the session token isn't valid: malformed, another secret or algorithm, or a missing claim",
  token_expired: 'the session token has expired',
  token_revoked:
    'the session was ended: signed out, by an admin, a block, a new password or role, or because the user was added again',
  user_unknown: 'the user of the session token no longer exists',
  user_blocked: 'the user is blocked: by an admin, or because the provider no longer gives them a role',
  provider_removed: 'the user signed in at a provider that auth.oidc no longer names',
  oidc_attempt_unknown: 'a user came back from the provider too late, a second time, or in another browser',
  oidc_refused: "the provider didn't sign the user in, or refused its own code",
  oidc_unreachable: "the provider doesn't answer",
  oidc_protocol_error: "the provider's answer breaks the protocol, or is meant for another client",
  oidc_name_invalid: "the claim auth.oidc.user_claim is missing, or isn't a valid user name here",
  oidc_name_taken: 'another account, or another user of the provider, already has this name',
  oidc_email_refused:
    "auth.oidc.allowed_emails doesn't list the user's address, or the provider hasn't verified it",
  oidc_no_role: "no group of the user maps to a role, and auth.oidc.default_role isn't a defined role",
  second_factor_missing: "the role needs a second factor, and the user hasn't set one up yet",
  api_token_unknown: 'no such API token: revoked, misspelt, or its owner was removed',
  api_token_expired: 'the API token has expired',
  api_token_too_wide: "the API token's role is undefined, or may do more than its owner now",
  display_unknown: 'no such display: it was ended, its user was removed, or the JWT secret has changed',
  display_expired: 'the display was paired for a time that is over',
  display_only_shows: 'a display only shows pictures, and opens no page but the wall',
  basic_over_http: 'an API token came as a Basic password over plain HTTP, or through an untrusted proxy',
  identity_changed: 'the user or the role changed while a change waited, or an answer or WebSocket was open',
  grant_changed: 'the granted cameras changed while an answer or WebSocket was open',
  stopped: 'an admin has stopped this stream, or all of the user, API token or share, for a time',
  share_unopened: "the share wasn't opened in this browser, or too long ago",
  share_over: 'the share was ended, has expired, or the recorder no longer has what it shows',
  share_scope: "the path, its query or its time isn't part of what is shared",
  share_maker: 'the creator of the share has lost access',
  cross_site: "cross-site request (CSRF): a change with this site's cookie or with Basic",

  method_refused: 'the method is TRACE or CONNECT, which is always refused',
  host_unknown: "the internal entry point doesn't answer this host name",

  request_unparsable: "the front passed on a request that isn't HTTP, or whose headers are too long",

  front_unproven: "the client of a forward-auth listener isn't a trusted front",
  front_path_unknown: 'a front asks at a path that belongs to no adapter',
  front_public_path: 'a front asks about a public path',
  front_header_missing: "the front didn't send a header that its adapter needs",
  front_header_repeated: 'a header that only the front may set arrived more than once',
  front_header_malformed: 'a header that only the front may set has an impossible value',
  front_header_alias: 'an identity header arrived in another spelling, which the front would pass on',
  front_headers_mixed: 'the request has a header of another front',

  uri_missing: "the front didn't send X-Original-URL, and the role is limited to cameras",
  uri_malformed: 'the URI cannot be parsed',
  uri_control_character: 'the URI has a control character, a space or NUL',
  uri_backslash: 'the URI has a backslash',
  uri_encoded_slash: 'the path has an encoded slash or backslash',
  uri_double_encoded: 'the path is percent-encoded twice',
  uri_path_parameter: 'the path has a semicolon',
  uri_dot_segment: 'the path has a dot segment',
  uri_base_path: 'the path still begins with base_path, which the front should have stripped',

  role_may_not: 'the role or the API token may not watch live, see recordings, export or talk here',
  role_outside_schedule: 'outside the schedule of the role or the API token',
  before_schedule: 'the recording is earlier than the role or the API token may see (history: from)',
  time_unreadable: 'the time is unknown, and the role may not see earlier recordings (history: from)',
  admin_only: 'only admins may do this',
  read_only: 'the role may only read',
  camera_not_granted: "the role doesn't include a camera that this is about",
  login_needed: 'an API token may not do this: it gives, takes or shows what users sign in with',
  cameras_unnamed: "the API token is limited to some cameras, and the request doesn't name its cameras",
  cameras_too_many: "the query would be too long, and the role isn't verified at the recorder",
  recorder_role_unverified: "the list covers several cameras, and the role isn't verified at the recorder",
  body_unread: "the front didn't send the body, which the gate has to read",
  body_unreadable:
    "the body isn't plain JSON as the recorder's UI sends it, or the offer of WebRTC isn't plain SDP",
  messages_unfiltered: "nothing filters this WebSocket's messages for the role",
  configuration_unmasked:
    'the answer may have secrets, which only the embedded front and networking.relay mask',
  stats_unnarrowed:
    'the answer covers all cameras; only the embedded front and networking.relay remove others',
  target_unresolved: "the resource can't be tied to cameras, and the role is limited to cameras",

  audit_unavailable: "who watches can't be recorded, and audit.viewing requires it",
  store_unavailable: "the store of accounts and roles can't be read, and no decision uses an older copy",
  failure: 'a fault inside the gate; refused to be safe',
} as const;

export type Reason = keyof typeof reasons;

/** Signing in would help. */
export const sessionReasons: ReadonlySet<Reason> = new Set([
  'no_session',
  'token_ambiguous',
  'token_invalid',
  'token_expired',
  'token_revoked',
  'user_unknown',
  'user_blocked',
  'provider_removed',
  'display_unknown',
  'display_expired',
]);
