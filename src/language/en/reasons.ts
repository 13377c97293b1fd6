import type { Reason } from '../../policy/reasons.ts';

/** What an operator does who finds a reason. Code stands between backticks. */
export const advices: Readonly<Record<Reason, string>> = {
  allowed: 'Nothing.',
  public: 'Nothing: the upstream gets empty identity headers.',
  shared: 'Nothing. `script/postern shares list` says who made the share.',
  proxy_secret_missing:
    'Let the upstream proxy send `X-Proxy-Secret`. If it does, check whether another hop drops the header, or whether somebody went around the proxy.',
  proxy_secret_repeated:
    'Let the upstream proxy set the header in place of the one a client sent, not add a second one.',
  proxy_secret_mismatch:
    'Compare the secret of the upstream proxy with `proxy.auth_secret`, quotes and spaces included. If they are the same, somebody is guessing.',
  trusted_header_repeated:
    'Let the upstream proxy delete every header of the trusted-headers file that a client sent before it sets its own.',
  trusted_header_alias:
    'Write the header with hyphens in the upstream proxy, and let it drop names with underscores or dots.',
  trusted_header_hop_by_hop:
    'No client in good faith does this. Let the upstream proxy set `Connection` itself instead of passing it on.',
  user_missing:
    'Let the upstream proxy authenticate this path and send the header that `proxy.header_map.user` names.',
  user_malformed:
    'Let the upstream proxy send the name as UTF-8 text of 1 to 256 characters that people can see.',
  user_reserved:
    'Give the user another name at the upstream proxy. The gate calls everyone `anonymous` who comes by the internal entry point, and itself `postern`.',
  groups_malformed: 'Let the upstream proxy send the groups as UTF-8 text without control characters.',
  no_role:
    "Give the user a group that `proxy.role_map` lists (letter case counts), or set `proxy.default_role`, and take the user out of the groups of `none`. A header with several groups in it needs the proxy's separator in `proxy.separator`.",
  no_session: 'Nothing: the client has to log in.',
  token_ambiguous:
    'Let the client delete its cookies of this host and of the domains above it, and send one Authorization header.',
  token_invalid:
    'After a change of the JWT secret, nothing: the client has to log in again. Otherwise check what the client sends.',
  token_expired:
    'Nothing: the client has to log in again. `auth.session_length` says how long a session lasts.',
  token_revoked: 'Nothing: the client has to log in again.',
  share_unopened:
    'Nothing: whoever has the link opens it again. When it happens always, a proxy in front drops the cookie `postern_share`, or serves the site below another prefix than it says.',
  share_over: 'Nothing, or share it again.',
  share_scope: 'Nothing: it is what shares are for. The page of a share asks for nothing else.',
  share_maker: 'Nothing, or let the maker in again: then the share is open again until its time is over.',
  user_blocked:
    'Nothing, or unblock the user: `script/postern users unblock NAME`. Whom the provider keeps out, the next login there lets in once it gives a role again.',
  provider_removed: 'Nothing, or write `auth.oidc` with the same `issuer` into `config.yml` again.',
  oidc_attempt_unknown:
    'Nothing, when it happens once: the person logs in again. When it happens always, people open the site under another name than `public_url`, so that the cookie of the login is not sent.',
  oidc_refused:
    'The log line has what the provider says (`cause`). `invalid_client`: compare `auth.oidc.client_id` and `client_secret` with those there. `access_denied`: the person may not use this client there, or has cancelled.',
  oidc_unreachable:
    'The log line says which address does not answer (`cause`). Local accounts log in at `/login?local` meanwhile.',
  oidc_protocol_error:
    'The log line says what is wrong (`cause`). `script/postern doctor --oidc` checks the provider. A signature with HS256 or none: let the client there sign with a key, such as RS256.',
  oidc_name_invalid:
    'The name has letters, digits, dots, underscores, hyphens and at signs, 64 at most. Set `auth.oidc.user_claim` to a claim that has such a name, or rename the person at the provider.',
  oidc_name_taken:
    'Remove or rename the local account of that name, or rename the person at the provider. A person who was made anew there is somebody else: remove the former one under Users.',
  oidc_email_refused:
    'Add the address, or its `@domain`, to `auth.oidc.allowed_emails`; or let the person verify the address at the provider. `auth.oidc.scopes` needs `email`.',
  oidc_no_role:
    'Give the person a group that `auth.oidc.role_map` lists (letter case counts), or set `auth.oidc.default_role`. When groups do not arrive at all, check the groups claim of the client there, and `auth.oidc.groups_claim` and `scopes`.',
  second_factor_missing: 'The user sets up a passkey or one-time codes at `/postern/account`.',
  user_unknown: 'Nothing, or add the user again: `script/postern users list` shows who there is.',
  api_token_unknown:
    'Make another token and give it to the client: `script/postern tokens list` shows which there are.',
  api_token_expired: 'Make another token, and revoke this one. The list of tokens says when each expires.',
  api_token_too_wide:
    'Revoke the token, and make one with a role that its owner may give. The gate does not shrink it: its user would take half an answer for the whole.',
  identity_changed:
    'Nothing: the gate did not make the change, since the configuration changed between the request and its effect; or it ended what was open, which was passed on for the former role. Whoever still may do it tries again.',
  grant_changed:
    'Nothing: what was open was passed on for the former cameras. The client asks again, and gets what it may see now.',
  cut_by_admin: 'Nothing: whoever still may see it asks again. To keep somebody out, block the user.',
  cross_site:
    'Nothing, when the page belongs to another site. Otherwise let every proxy in front pass the Host header on as the browser sent it.',
  method_refused: 'Nothing: no program of a recorder needs them. Somebody attacks.',
  host_unknown:
    'If you use the internal entry point by that name, add it to `networking.internal_hosts`, or use an address. If not, a page in a browser of your network tries to reach it (DNS rebinding). A front that asks on `networking.forward_auth.internal` has to send the host of the client.',
  request_unparsable:
    'The `cause` in the log line says what is wrong. `HPE_HEADER_OVERFLOW`: the headers are longer than 96 KiB; let the upstream proxy send fewer groups. Anything else: a client sent bytes that no HTTP allows.',
  front_unproven:
    'If it is your front, add its network to `fronts.trusted`, or let it send `fronts.secret` in `X-Front-Secret`. If not, somebody reaches the listener who should not.',
  front_path_unknown:
    'The log line has the path at which the front asked (`path`). Let it ask at `/auth`, `/api/authz/forward-auth` or `/api/authz/ext-authz/`: docs/fronts/ has a folder for each front. If it is a path of the gate itself, let the front remove the header that the line names from what clients send.',
  front_public_path:
    'Let the front send the path of the log line to the gate itself, without an authorization request: docs/fronts/ has a folder for each front. Users who are logged in get through.',
  front_header_missing:
    'The log line names the adapter (`front`) and the header (`header`): let the front send it, or correct the path at which it asks. docs/fronts/ has a folder for each front.',
  front_header_repeated: 'Let the front set the header in place of the one that a client sent.',
  front_header_malformed:
    'Let the front set the header itself: a path that begins with a slash, `http` or `https`, a host with its port, a method. If it does, a client sent a malformed Host.',
  front_header_alias:
    'No client in good faith sends `Remote_User` for `Remote-User`. Let the front drop names with underscores or dots.',
  front_headers_mixed:
    'Let the front delete the header that the log line names from what clients send, or correct the path at which it asks.',
  uri_missing:
    'Let the front send `X-Original-URL` and `X-Original-Method` with its authorization request. In nginx: `proxy_set_header X-Original-URL $request_uri;` and `proxy_set_header X-Original-Method $request_method;`.',
  uri_malformed: 'Correct the client: bad percent-encoding, bytes that are not UTF-8, or a fragment.',
  uri_control_character:
    'Correct the client: a name with a control character cannot be reached through the gate.',
  uri_backslash: 'Correct the client: segments are separated by slashes.',
  uri_encoded_slash: 'Correct the client: send the slash as it is, and no name that contains one.',
  uri_double_encoded: 'Correct the client: encode the path once.',
  uri_path_parameter: 'Correct the client: no path of a recorder has a semicolon.',
  uri_dot_segment: 'Correct the client: resolve `.` and `..` before the request is sent.',
  uri_base_path:
    'When another front asks: let it strip the prefix of `base_path` before it asks and passes on, or leave `base_path` empty. Otherwise correct the client: send the prefix once, and not percent-encoded.',
  role_outside_window:
    'Nothing, or change the window of the role: `auth.role_windows` in `config.yml`, or Settings > Roles. Its times are of the time zone of the gate (`TZ`).',
  before_window: 'Nothing, or leave `history` out of the window of the role (`auth.role_windows`).',
  time_unreadable:
    'Nothing, or leave `history` out of the window of the role (`auth.role_windows`). A list has to say `after`, which fronts that narrow add; docs/custom-roles.md says what is closed. A path of your own, at which nothing is recorded, needs `recorded: now` in `access.rules`.',
  admin_only: 'Nothing, or give the user the role `admin`.',
  read_only: 'Nothing, or give the user the role `admin`: every other role may only send GET and HEAD.',
  camera_not_granted:
    'Nothing, or add the camera to the role in `auth.roles`. Letter case counts, and streams asked for by `src` are granted by the names of cameras.',
  login_needed:
    'Log in, or use the `postern` command: API tokens cannot change accounts, sessions and API tokens (docs/api-tokens.md).',
  cameras_unnamed:
    'Let the client name the cameras in the query, as docs/api-tokens.md says, or use a token of a custom role without a list of cameras.',
  cameras_too_many:
    'Let the client name the cameras that it wants in the query, or let the recorder be verified for the role, as for `recorder_role_unverified`. The request target is bounded to 8,000 characters, since fronts and recorders take no longer ones.',
  recorder_role_unverified:
    'Look at Settings > Roles: it says what the recorder answered. Define the role in the recorder too, with the same cameras or fewer, and let `upstream` name the port where the recorder believes the identity headers (docs/custom-roles.md). Or let the client name cameras in the query.',
  body_unread:
    'Let the front send the path to `networking.relay`, as the files of docs/fronts/ do: a front that only asks shows the gate no body (docs/recorder.md). Users without a limit to cameras may do it by any front, unless the recorder takes everyone for an admin.',
  body_unreadable:
    'Send `Content-Type: application/json`, UTF-8, at most 64 KiB, with the fields that docs/recorder.md lists and no others, each once.',
  messages_unfiltered:
    'Let the front send `/ws` to `networking.relay`, as the files of docs/fronts/ do: the gate filters its messages there, and in the embedded front. A role that is limited to cameras opens no WebSocket of another path that names no camera.',
  configuration_unmasked:
    'Let the front send `/api/config` and `/api/go2rtc/` to `networking.relay`: the gate masks the secrets there, and in the embedded front. Without the relay it is for admins alone behind that front (docs/recorder.md).',
  stats_unnarrowed:
    'Let the front send `/api/stats` to `networking.relay`, as the files of docs/fronts/ do: the gate leaves out other cameras there, and in the embedded front.',
  target_unresolved:
    'Nothing: directory listings, and clips and exports that name no camera, are closed to custom roles. A path that does name its camera needs a rule in `access.rules` (docs/access.md).',
  store_unavailable:
    'Bring the store back: the log line before this one has the error. With `store.url` it is PostgreSQL (docs/growth.md).',
  failure: 'Read the error in the log line before this one, and report it.',
};
