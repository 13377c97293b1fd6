import type { Reason } from '../../policy/reasons.ts';

/** What an operator does who finds a reason. Code stands between backticks. */
export const advices: Readonly<Record<Reason, string>> = {
  allowed: 'Nothing.',
  public: 'Nothing.',
  shared: 'Nothing. `script/postern shares list` shows who made the share.',
  proxy_secret_missing:
    'Let the upstream proxy send `X-Proxy-Secret`. If it does, another hop drops it, or someone bypasses the proxy.',
  proxy_secret_repeated: 'Let the upstream proxy replace the header that a client sent.',
  proxy_secret_mismatch:
    'Compare the proxy’s secret with `proxy.auth_secret`. If they match, someone is guessing.',
  trusted_header_repeated: 'Let the upstream proxy replace the trusted headers of clients.',
  trusted_header_alias: 'Let the upstream proxy drop names with underscores or dots.',
  trusted_header_hop_by_hop: 'It may be an attack. Let the upstream proxy set `Connection` itself.',
  user_missing:
    'Let the upstream proxy authenticate this path and send the header of `proxy.header_map.user`.',
  user_malformed: 'Correct the name that the upstream proxy sends.',
  user_reserved: 'Give the user another name at the upstream proxy.',
  groups_malformed: 'Correct the groups that the upstream proxy sends.',
  no_role:
    'Give the user a group of `proxy.role_map` (letter case counts) or a role in `proxy.user_map`, or set `proxy.default_role`; remove groups of `none`. If a header has several groups, check `proxy.separator`.',
  no_session: 'Nothing: sign in.',
  token_ambiguous:
    'Delete the cookies of this host and its parent domains, and send one Authorization header.',
  token_invalid: 'If the JWT secret changed, sign in again. Otherwise check what the client sends.',
  token_expired: 'Nothing: sign in again. `auth.session_length` sets how long a session lasts.',
  token_revoked: 'Nothing: sign in again.',
  share_unopened:
    'Open the link again. If that fails, a proxy in front drops the cookie `postern_share`, or reports another prefix.',
  share_over: 'Nothing, or share it again.',
  share_scope: 'Nothing: the page of a share requests nothing else.',
  share_maker: 'Nothing, or let its creator in again.',
  user_blocked:
    'Nothing, or `script/postern users unblock NAME`. A block by the provider ends with the next sign-in with a role.',
  provider_removed: 'Nothing, or put `auth.oidc` with the same `issuer` back into `config.yml`.',
  oidc_attempt_unknown:
    'Sign in again. If that fails, users open the site by another name than `public_url`.',
  oidc_refused:
    'The log line has the answer (`cause`). `invalid_client`: compare `auth.oidc.client_id` and `client_secret`. `access_denied`: the user cancelled, or may not use this client.',
  oidc_unreachable: 'The log line has the address (`cause`). Local users can sign in at `/login?local`.',
  oidc_protocol_error:
    'The log line has the fault (`cause`). Run `script/postern doctor --oidc`. HS256 is refused.',
  oidc_name_invalid:
    'Let `auth.oidc.user_claim` name a claim with up to 64 readable characters, without `/ \\ % : ? ;` and without spaces at its ends, or rename the user at the provider.',
  oidc_name_taken:
    'Remove the local account, or the former user who was added again at the provider; or rename the user there.',
  oidc_email_refused:
    'Add the address or its `@domain` to `auth.oidc.allowed_emails`, or verify it at the provider. `auth.oidc.scopes` needs `email`.',
  oidc_no_role:
    'Give the user a group of `auth.oidc.role_map` (letter case counts), or set `auth.oidc.default_role`. If no groups arrive, check `auth.oidc.groups_claim` and `scopes`, and the client there.',
  second_factor_missing: 'Set up a passkey or one-time codes at `/postern/account`.',
  user_unknown: 'Nothing, or add the user again. `script/postern users list` shows all users.',
  api_token_unknown: 'Make another token. `script/postern tokens list` shows all tokens.',
  api_token_expired: 'Make another token, and revoke this one.',
  api_token_too_wide: 'Revoke the token, and make one with a role that its owner may give.',
  display_unknown:
    'Pair the screen again at `/postern/pair`. `script/postern displays list` shows all displays.',
  display_expired: 'Pair the screen again.',
  display_only_shows: 'Nothing: a screen shows `/postern/wall`. To do more on it, sign in there.',
  basic_over_http:
    'Revoke the token, which others could read, and give the client another one, over `https`. Name a proxy that terminates TLS in `auth.trusted_proxies`, and let it send `X-Forwarded-Proto` and `X-Forwarded-For`.',
  identity_changed: 'Nothing: the gate made no change. Users who still may do it can try again.',
  grant_changed: 'Nothing: the client asks again.',
  stopped:
    'Nothing: it ends at the time in the log line (`opens`), or in Settings > Sessions. To keep someone out, block the user.',
  cross_site:
    'Nothing, if the page belongs to another site. Otherwise set `public_url` to the address that the browser shows, or let every proxy pass on the Host header unchanged, with its port.',
  method_refused: 'Nothing. It may be an attack.',
  host_unknown:
    "If a front passes clients to port 5000, let it use 8971: on 5000 everyone is admin. If the name is one of your own network, add it to `networking.internal_hosts`. If not, a page in a browser of your network is trying to reach it (DNS rebinding). A front on `networking.forward_auth.internal` has to send the client's host.",
  request_unparsable:
    'The log line has the fault (`cause`). `HPE_HEADER_OVERFLOW`: the headers exceed 96 KiB; let the upstream proxy send fewer groups. Otherwise a client sent invalid HTTP.',
  front_unproven:
    'If it is your front, add its network to `fronts.trusted`, or let it send `fronts.secret` in `X-Front-Secret`. Close the listener to others.',
  front_path_unknown:
    'Let the front ask at `/auth`, `/api/authz/forward-auth` or `/api/authz/ext-authz/`, as in docs/fronts/, or, at a path of the gate itself (`path`), remove the header in the log line.',
  front_public_path:
    'Let the front send the path in the log line to the gate without asking, as in docs/fronts/.',
  front_header_missing:
    'Let the front (`front`) send the header (`header`) in the log line, or correct the path at which it asks, as in docs/fronts/.',
  front_header_repeated: 'Let the front replace the header that a client sent.',
  front_header_malformed:
    'Let the front set the header itself, such as `http` or `https`. If it does, a client sent a malformed Host.',
  front_header_alias:
    'Let the front drop names such as `Remote_User` for `Remote-User`. It may be an attack.',
  front_headers_mixed:
    'Let the front delete the header in the log line, or correct the path at which it asks.',
  uri_missing: 'Let the front send `X-Original-URL` and `X-Original-Method`, as in docs/fronts/.',
  uri_malformed: 'Correct the client: percent-encoding, UTF-8, no fragment.',
  uri_control_character: 'Correct the client.',
  uri_backslash: 'Correct the client.',
  uri_encoded_slash: 'Correct the client.',
  uri_double_encoded: 'Correct the client.',
  uri_path_parameter: 'Correct the client.',
  uri_dot_segment: 'Correct the client: resolve `.` and `..`.',
  uri_base_path:
    'Let the front strip the prefix before it asks and passes on, or leave `base_path` empty. Otherwise correct the client: it sends the prefix once, without percent-encoding.',
  role_may_not:
    'Nothing, or add the words in the log line (`missing`) to `may` of the role in `auth.role_access`, or in Settings > Access. Make another API token (`token_id`) if it has its own `may`. If `talk` is missing, the front may be why: let it send `/live/` and `/api/go2rtc/` to `networking.relay`. A path in `access.rules` needs `live`, `history` and `export` unless the rule has `may`.',
  role_outside_schedule:
    'Nothing, or change the schedule in `auth.role_access` of `config.yml`, or in Settings > Access. For an API token with its own, make another one. Times are in the time zone of `timezone`, or else `TZ`.',
  before_schedule:
    'Nothing, or remove `history` from the role in `auth.role_access`. For an API token with its own `history`, make another one.',
  time_unreadable:
    'Nothing, or remove `history` from the role in `auth.role_access`. A list needs `after`, which some fronts add (docs/custom-roles.md). Your own path without recordings needs `recorded: now` in `access.rules`.',
  admin_only: 'Nothing, or give the user the role `admin`.',
  read_only: 'Nothing, or give the user the role `admin`: others may only send GET and HEAD.',
  camera_not_granted:
    'Nothing, or add the camera to the role in `auth.roles`. Letter case counts. A stream in `src` needs its camera.',
  login_needed: 'Sign in, or use the `postern` command (docs/api-tokens.md).',
  cameras_unnamed: 'Name the cameras in the query (docs/api-tokens.md), or use a token of a custom role.',
  cameras_too_many:
    'Name the cameras you need in the query, or have the role verified, as for `recorder_role_unverified`. A query has at most 8,000 characters.',
  recorder_role_unverified:
    'Settings > Access shows what the recorder answered. Give it the role with the same cameras or fewer, and check the port of `upstream` (docs/custom-roles.md). Or name cameras in the query.',
  body_unread:
    'Let the front send the path to `networking.relay`, as in docs/fronts/ (docs/recorder-lists.md).',
  body_unreadable:
    'Send `Content-Type: application/json`, UTF-8, at most 64 KiB, with the fields of docs/recorder-lists.md and no others, each once. Offers of WebRTC may come as SDP too, but not as a form.',
  messages_unfiltered:
    'Let the front send `/ws` to `networking.relay`, as in docs/fronts/. Other WebSockets without a camera are closed to custom roles.',
  configuration_unmasked:
    'Let the front send `/api/config` and `/api/go2rtc/` to `networking.relay` (docs/recorder-lists.md).',
  stats_unnarrowed: 'Let the front send `/api/stats` to `networking.relay`, as in docs/fronts/.',
  target_unresolved:
    'Nothing: this is closed to custom roles. Your own path that names its camera needs a rule in `access.rules` (docs/access.md).',
  audit_unavailable:
    'Make room for `activity.db`, or bring PostgreSQL back: the log has the error. `audit.viewing` refuses only with `required`.',
  store_unavailable:
    'Bring the store back: the log line before has the error. With `store.url`, it is PostgreSQL (docs/growth.md).',
  failure: 'Report the error in the log line before this one.',
};
