import type { Reason } from '../../policy/reasons.ts';

/** What an operator does who finds a reason. Code stands between backticks. */
export const advices: Readonly<Record<Reason, string>> = {
  allowed: 'Nothing.',
  public: 'Nothing: the recorder gets empty identity headers.',
  shared: 'Nothing. `script/postern shares list` shows who made the share.',
  proxy_secret_missing:
    'Let the upstream proxy send `X-Proxy-Secret`. If it does, check whether another hop drops the header, or whether someone went around the proxy.',
  proxy_secret_repeated:
    'Let the upstream proxy set the header in place of the one a client sent, not add a second one.',
  proxy_secret_mismatch:
    'Compare the secret of the upstream proxy with `proxy.auth_secret`, quotes and spaces included. If they are the same, someone is guessing.',
  trusted_header_repeated:
    'Let the upstream proxy delete every header of the trusted-headers file that a client sent before it sets its own.',
  trusted_header_alias:
    'Write the header with hyphens in the upstream proxy, and let it drop names with underscores or dots.',
  trusted_header_hop_by_hop:
    'No well-meaning client does this. Let the upstream proxy set `Connection` itself instead of passing it on.',
  user_missing:
    'Let the upstream proxy authenticate this path and send the header that `proxy.header_map.user` names.',
  user_malformed: 'Let the upstream proxy send the name as UTF-8 text of 1 to 256 visible characters.',
  user_reserved:
    'Give the user another name at the upstream proxy. `anonymous` is everyone on the internal entry point, and `postern` is the gate itself.',
  groups_malformed: 'Let the upstream proxy send the groups as UTF-8 text without control characters.',
  no_role:
    "Give the user a group that `proxy.role_map` lists (letter case counts), name the user in `proxy.user_map`, or set `proxy.default_role`, and take the user out of the groups of `none`. A header with several groups in it needs the proxy's separator in `proxy.separator`.",
  no_session: 'Nothing: the user has to sign in.',
  token_ambiguous:
    'Let the client delete its cookies of this host and of the domains above it, and send one Authorization header.',
  token_invalid:
    'After a change of the JWT secret, nothing: the user has to sign in again. Otherwise check what the client sends.',
  token_expired:
    'Nothing: the user has to sign in again. `auth.session_length` sets how long a session lasts.',
  token_revoked: 'Nothing: the user has to sign in again.',
  share_unopened:
    'Nothing: anyone with the link can open it again. If it keeps happening, a proxy in front drops the cookie `postern_share`, or serves the site under another prefix than it reports.',
  share_over: 'Nothing, or share it again.',
  share_scope: 'Nothing: it is what shares are for. The page of a share asks for nothing else.',
  share_maker: 'Nothing, or let its creator in again: then the share works until it expires.',
  user_blocked:
    'Nothing, or unblock the user: `script/postern users unblock NAME`. If the provider blocked the user, the next sign-in there lifts it, once the provider gives a role again.',
  provider_removed: 'Nothing, or put `auth.oidc` with the same `issuer` back into `config.yml`.',
  oidc_attempt_unknown:
    "If it happens once, nothing: the user signs in again. If it keeps happening, users open the site under another name than `public_url`, so the browser doesn't send the sign-in cookie.",
  oidc_refused:
    "The log line has the provider's answer (`cause`). `invalid_client`: compare `auth.oidc.client_id` and `client_secret` with those there. `access_denied`: the user may not use this client there, or cancelled.",
  oidc_unreachable:
    "The log line names the address that doesn't answer (`cause`). Local accounts can sign in at `/login?local` meanwhile.",
  oidc_protocol_error:
    'The log line has the fault (`cause`). `script/postern doctor --oidc` checks the provider. A signature with HS256 or none: let the client there sign with a key, such as RS256.',
  oidc_name_invalid:
    'A name has up to 64 letters, digits, dots, underscores, hyphens and at signs. Set `auth.oidc.user_claim` to a claim that has such a name, or rename the user at the provider.',
  oidc_name_taken:
    'Remove or rename the local account of that name, or rename the user at the provider. A user who was deleted there and added again counts as another user: remove the former one under Users.',
  oidc_email_refused:
    'Add the address, or its `@domain`, to `auth.oidc.allowed_emails`; or have the user verify the address at the provider. `auth.oidc.scopes` needs `email`.',
  oidc_no_role:
    'Give the user a group that `auth.oidc.role_map` lists (letter case counts), or set `auth.oidc.default_role`. If no groups arrive at all, check the groups claim of the client there, and `auth.oidc.groups_claim` and `scopes`.',
  second_factor_missing: 'The user sets up a passkey or one-time codes at `/postern/account`.',
  user_unknown: 'Nothing, or add the user again: `script/postern users list` shows all users.',
  api_token_unknown:
    'Make another token and give it to the client: `script/postern tokens list` shows all tokens.',
  api_token_expired: 'Make another token, and revoke this one. The list of tokens shows when each expires.',
  api_token_too_wide:
    "Revoke the token, and make one with a role that its owner may give. The gate doesn't narrow it by itself: a program would take half an answer for the whole.",
  display_unknown:
    'Pair the screen again at `/postern/pair`. `script/postern displays list` shows all displays.',
  display_expired: 'Pair the screen again, or give the display more time before it expires.',
  display_copied:
    'Find out who had access to the screen or its backups, then pair it again. The record `display_copied` shows which display it was.',
  display_only_shows:
    'Nothing, if someone only tried: a screen shows its wall at `/postern/wall`. To do more on it, sign in there.',
  basic_over_http:
    'Give the client the `https` address, and another token: revoke this one, which others could read. If the client does use TLS, name the proxy that ends TLS in `auth.trusted_proxies`, and let it send `X-Forwarded-Proto` and `X-Forwarded-For`.',
  identity_changed:
    "Nothing: the configuration changed between the request and its effect, so the gate didn't make the change; or it ended what was open under the former role. Anyone who still may do it can try again.",
  grant_changed:
    'Nothing: what was open was passed on for the former cameras. The client asks again, and gets what it may see now.',
  stopped:
    'Nothing: it ends by itself, and the log line has the time (`opens`). To allow it again at once: Settings > Sessions. To keep someone out for good, block the user.',
  cross_site:
    'If the page belongs to another site, nothing. Otherwise let every proxy in front pass the Host header on as the browser sent it.',
  method_refused: 'Nothing: no program of a recorder uses them. It may be an attack.',
  host_unknown:
    "If you use the internal entry point by that name, add it to `networking.internal_hosts`, or use an address. If not, a page in a browser of your network is trying to reach it (DNS rebinding). A front that asks on `networking.forward_auth.internal` has to send the client's host.",
  request_unparsable:
    "The log line has the fault (`cause`). `HPE_HEADER_OVERFLOW`: the headers are longer than 96 KiB; let the upstream proxy send fewer groups. Anything else: a client sent bytes that aren't valid HTTP.",
  front_unproven:
    'If it is your front, add its network to `fronts.trusted`, or let it send `fronts.secret` in `X-Front-Secret`. If not, someone reaches a listener that should be closed to them.',
  front_path_unknown:
    'The log line has the path at which the front asked (`path`). Let it ask at `/auth`, `/api/authz/forward-auth` or `/api/authz/ext-authz/`: docs/fronts/ has a folder for each front. If it is a path of the gate itself, let the front remove the header that the line names from what clients send.',
  front_public_path:
    'Let the front send the path of the log line to the gate itself, without an authorization request: docs/fronts/ has a folder for each front. Users who are signed in get through.',
  front_header_missing:
    'The log line names the adapter (`front`) and the header (`header`): let the front send it, or correct the path at which it asks. docs/fronts/ has a folder for each front.',
  front_header_repeated: 'Let the front set the header in place of the one that a client sent.',
  front_header_malformed:
    'Let the front set the header itself: a path that begins with a slash, `http` or `https`, a host with its port, a method. If it does, a client sent a malformed Host.',
  front_header_alias:
    'No well-meaning client sends `Remote_User` for `Remote-User`. Let the front drop names with underscores or dots.',
  front_headers_mixed:
    'Let the front delete the header that the log line names from what clients send, or correct the path at which it asks.',
  uri_missing:
    'Let the front send `X-Original-URL` and `X-Original-Method` with its authorization request. In nginx: `proxy_set_header X-Original-URL $request_uri;` and `proxy_set_header X-Original-Method $request_method;`.',
  uri_malformed:
    "Correct the client: it sends faulty percent-encoding, bytes that aren't UTF-8, or a fragment.",
  uri_control_character:
    "Correct the client: a name with a control character can't be reached through the gate.",
  uri_backslash: 'Correct the client: segments are separated by slashes.',
  uri_encoded_slash: 'Correct the client: send the slash as it is, and no name that contains one.',
  uri_double_encoded: 'Correct the client: encode the path once.',
  uri_path_parameter: 'Correct the client: no path of a recorder has a semicolon.',
  uri_dot_segment: 'Correct the client: resolve `.` and `..` before the request is sent.',
  uri_base_path:
    'If another front asks: let it strip the prefix of `base_path` before it asks and passes on, or leave `base_path` empty. Otherwise correct the client: it should send the prefix once, without percent-encoding.',
  role_may_not:
    'Nothing, or give the role what the log line names in `missing`: `may` of the role in `auth.role_access`, or Settings > Access. If the line has `token_id`, the API token may have a narrower `may` of its own: make another token. A path of your own in `access.rules` needs `live`, `history` and `export` unless the rule has `may`.',
  role_outside_schedule:
    'Nothing, or change the schedule of the role: `auth.role_access` in `config.yml`, or Settings > Access. An API token may have a schedule of its own: make another token. Times are in the time zone of the gate (`TZ`).',
  before_schedule:
    'Nothing, or remove `history` from the role in `auth.role_access`. An API token may have a `history` of its own: make another token.',
  time_unreadable:
    'Nothing, or remove `history` from the role in `auth.role_access`. A list needs `after`, which fronts that narrow add; docs/custom-roles.md lists what is closed. A path of your own, at which nothing is recorded, needs `recorded: now` in `access.rules`.',
  admin_only: 'Nothing, or give the user the role `admin`.',
  read_only: 'Nothing, or give the user the role `admin`: every other role may only send GET and HEAD.',
  camera_not_granted:
    'Nothing, or add the camera to the role in `auth.roles`. Letter case counts, and streams asked for by `src` are granted by the names of cameras.',
  login_needed:
    "Sign in, or use the `postern` command: API tokens can't change accounts, sessions and API tokens (docs/api-tokens.md).",
  cameras_unnamed:
    'Let the client name the cameras in the query (docs/api-tokens.md), or use a token of a custom role without a list of cameras.',
  cameras_too_many:
    'Let the client name the cameras it needs in the query, or have the recorder verified for the role, as for `recorder_role_unverified`. A request target may have 8,000 characters, since fronts and recorders accept no longer ones.',
  recorder_role_unverified:
    'Look at Settings > Access: it shows what the recorder answered. Define the role in the recorder too, with the same cameras or fewer, and let `upstream` name the port where the recorder believes the identity headers (docs/custom-roles.md). Or let the client name cameras in the query.',
  body_unread:
    'Let the front send the path to `networking.relay`, as the files of docs/fronts/ do: a front that only asks shows the gate no body (docs/recorder-lists.md). Users without a limit to cameras may do it by any front, unless the recorder takes everyone for an admin.',
  body_unreadable:
    'Send `Content-Type: application/json`, UTF-8, at most 64 KiB, with the fields that docs/recorder-lists.md lists and no others, each once.',
  messages_unfiltered:
    'Let the front send `/ws` to `networking.relay`, as the files of docs/fronts/ do: the gate filters its messages there, and in the embedded front. A role that is limited to cameras opens no WebSocket of another path that names no camera.',
  configuration_unmasked:
    'Let the front send `/api/config` and `/api/go2rtc/` to `networking.relay`: the gate masks the secrets there, and in the embedded front. Without the relay it is for admins alone behind that front (docs/recorder-lists.md).',
  stats_unnarrowed:
    'Let the front send `/api/stats` to `networking.relay`, as the files of docs/fronts/ do: the gate leaves out other cameras there, and in the embedded front.',
  target_unresolved:
    'Nothing: directory listings, and clips and exports that name no camera, are closed to custom roles. A path that does name its camera needs a rule in `access.rules` (docs/access.md).',
  audit_unavailable:
    'Make room for `activity.db`, or bring PostgreSQL back: the log has the error. Without `required`, `audit.viewing` shows what it cannot record.',
  store_unavailable:
    'Bring the store back: the log line before this one has the error. With `store.url`, the store is PostgreSQL (docs/growth.md).',
  failure: 'Read the error in the log line before this one, and report it.',
};
