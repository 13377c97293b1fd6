/**
 * The reasons for decisions. Operators search logs and documents for these words, so they are stable; docs/reasons.md
 * explains each.
 */
export const reasons = {
  allowed: 'the role may do this',
  public: 'the path needs no identity',
  shared: 'the path is part of a share, and was asked for by someone who opened it',

  proxy_secret_missing: 'proxy.auth_secret is set and the request has no X-Proxy-Secret',
  proxy_secret_repeated: 'the request has several X-Proxy-Secret headers',
  proxy_secret_mismatch: 'X-Proxy-Secret is not the configured secret',
  trusted_header_repeated: 'a trusted header arrived more than once',
  trusted_header_alias:
    'a header arrived that some servers read as a trusted one (underscore or dot for hyphen)',
  trusted_header_hop_by_hop: 'Connection lists a trusted header, so that a hop would drop it',
  user_missing: 'the header named by proxy.header_map.user is missing or empty',
  user_malformed:
    'the user header is longer than 256 characters, is not UTF-8, or has characters that control, turn the direction of text or cannot be seen',
  user_reserved: 'the user header names a user that only the gate itself may name: anonymous or postern',
  groups_malformed: 'the role header has control characters or is not UTF-8',
  no_role:
    'no role maps and proxy.default_role names none that is defined, or `none` maps, which stands for no access',
  no_session: 'the request has no session token',
  token_ambiguous: 'the request has several different session tokens',
  token_invalid:
    'the session token is not one of ours: malformed, another secret, another algorithm, a claim missing',
  token_expired: 'the session token is past its time',
  token_revoked:
    'the session was ended: logout, by an admin, another password, another role, a block, or the user was made again',
  user_unknown: 'the user of the session token is gone',
  user_blocked:
    'someone keeps the user out: an admin, or the provider, which gives the person no role any more',
  provider_removed: 'the person signed in at a provider that auth.oidc does not name any more',
  oidc_attempt_unknown:
    'someone came back from the provider without a login that this browser began here: too late, a second time, or in another browser',
  oidc_refused: 'the provider did not log the person in, or refused the code that it gave',
  oidc_unreachable: 'the provider does not answer',
  oidc_protocol_error: 'the provider answers what the protocol does not allow, or what is not for this gate',
  oidc_name_invalid: 'the claim auth.oidc.user_claim is missing, or is no user name of the gate',
  oidc_name_taken: 'another account, or another person of the provider, has the name already',
  oidc_email_refused:
    'auth.oidc.allowed_emails does not list the address of the person, or the provider says that it is not verified',
  oidc_no_role:
    'no group of the person maps to a role, and auth.oidc.default_role names none that is defined',
  second_factor_missing: 'the role needs a second factor (auth.second_factor), and the user has none yet',
  api_token_unknown: 'there is no such API token: revoked, misspelt, or its owner was removed',
  api_token_expired: 'the API token is past its time',
  api_token_too_wide:
    'the role of the API token is not defined any more, or may do more than its owner may now',
  identity_changed:
    'the identity or its role changed while its change had to wait, or while an answer or a WebSocket was open',
  grant_changed: 'the cameras that an open answer or WebSocket may be about are others by now',
  cut_by_admin: 'an admin ended an answer or a WebSocket that was open',
  share_unopened:
    'the request has no cookie of the share: it was not opened in this browser, or too long ago',
  share_over: 'the share was ended, or its time is over, or the recorder has nothing of it any more',
  share_scope: 'the path, its query or its time is no part of what is shared',
  share_maker:
    'whoever made the share could not come in any more: blocked, without the API token or second factor, or by a way that is closed',
  cross_site: 'another site sent this, and it would change something with the cookie of this one',

  method_refused: 'the method is TRACE or CONNECT, which are refused to everybody',
  host_unknown:
    'on the internal entry point, the request names a host that anybody could point here: neither an address, nor a name of this network, nor one of networking.internal_hosts',

  request_unparsable: 'the front passed on a request that is not HTTP, or whose headers are too long',

  front_unproven:
    'the client of a forward-auth listener is not a front: neither a trusted address nor the front secret',
  front_path_unknown: "a front asks at a path that is not an adapter's",
  front_public_path:
    'a front asks about a public path, which it should send to the gate without asking, and names no identity',
  front_header_missing: 'the front did not send a header that its adapter needs',
  front_header_repeated: 'a header that only the front may set arrived more than once',
  front_header_malformed: 'a header that only the front may set has a value that no front sends',
  front_header_alias: 'an identity header arrived in another spelling, which the front would pass on',
  front_headers_mixed:
    'the request has a header that this front never sends: a client sent it, or the front asks at the wrong path',

  uri_missing: 'the front did not say X-Original-URL, and the role is limited to cameras',
  uri_malformed: 'the URI cannot be parsed',
  uri_control_character: 'the URI has a control character, a space or NUL',
  uri_backslash: 'the URI has a backslash',
  uri_encoded_slash: 'the path has an encoded slash or backslash',
  uri_double_encoded: 'the path is percent-encoded twice',
  uri_path_parameter: 'the path has a semicolon, behind which some servers see parameters',
  uri_dot_segment: 'the path has a dot segment',
  uri_base_path: 'the path still begins with base_path, which the front should have stripped',

  role_outside_window: 'it is not the time of the role: auth.role_windows says when it is good',
  before_window:
    'what is asked for was recorded before auth.role_windows lets the role see it (history: from)',
  time_unreadable:
    'nothing says when what is asked for was recorded, and the role sees nothing that is older than its window (history: from)',
  admin_only: 'only admin may do this',
  read_only: 'the role may only read',
  camera_not_granted: 'the role is not granted a camera of this resource',
  login_needed: 'an API token may not do this: it gives, takes or shows what someone logs in with',
  cameras_unnamed: 'the API token is limited to some cameras, and the request does not name its cameras',
  cameras_too_many:
    'the query of the list would be too long with the cameras that the role is granted, and it is not verified that the recorder leaves out the others',
  recorder_role_unverified:
    'the list covers several cameras, and it is not verified that the recorder leaves out those that the role is not granted',
  body_unread:
    'the body says what this is about, and the front did not show it to the gate: the role is limited to cameras, or the recorder takes everyone for an admin',
  body_unreadable:
    "the body says what this is about, and is not plain JSON of the form that the recorder's UI sends",
  messages_unfiltered:
    'nothing reads the messages of this WebSocket: they may be of cameras that the role is not granted, or commands for admins to a recorder that takes everyone for one',
  configuration_unmasked:
    "the recorder's configuration, or the source of a stream, may have secrets, and the gate masks them only where it passes requests on itself: the embedded front, networking.relay",
  stats_unnarrowed:
    "the recorder's figures may be of all cameras, and the gate leaves out those that the role is not granted only where it passes requests on itself: the embedded front, networking.relay",
  target_unresolved: 'the resource cannot be tied to cameras, and the role is limited to cameras',

  store_unavailable:
    'the store of the accounts and roles cannot be asked, and nothing is decided by what it said before',
  failure: 'a fault inside the gate; refused to be safe',
} as const;

export type Reason = keyof typeof reasons;

/** Logging in would help. */
export const sessionReasons: ReadonlySet<Reason> = new Set([
  'no_session',
  'token_ambiguous',
  'token_invalid',
  'token_expired',
  'token_revoked',
  'user_unknown',
  'user_blocked',
  'provider_removed',
]);
