import { maxHeaderSize } from '../src/server/listeners.ts';
import type { Reason } from '../src/policy/reasons.ts';
import type { Decision } from '../src/policy/decision.ts';

export interface Advice {
  readonly verdict: Decision['outcome'];
  /** Where the refused request can only come from another front, so that no client is answered directly. */
  readonly frontOnly?: true;
  readonly advice: string;
}

/** What an operator does who finds a reason in the log. */
export const advices: Readonly<Record<Reason, Advice>> = {
  allowed: { verdict: 'allow', advice: 'Nothing.' },
  public: { verdict: 'allow', advice: 'Nothing: the upstream gets empty identity headers.' },

  proxy_secret_missing: {
    verdict: 'unauthenticated',
    advice:
      'Let the upstream proxy send `X-Proxy-Secret`. If it does, look whether another hop drops the header, or whether somebody went around the proxy.',
  },
  proxy_secret_repeated: {
    verdict: 'unauthenticated',
    advice: 'Let the upstream proxy set the header in place of the one a client sent, not add a second one.',
  },
  proxy_secret_mismatch: {
    verdict: 'unauthenticated',
    advice:
      'Compare the secret of the upstream proxy with `proxy.auth_secret`, quotes and spaces included. If they are the same, somebody guesses.',
  },
  trusted_header_repeated: {
    verdict: 'unauthenticated',
    advice:
      'Let the upstream proxy delete every header of the trusted-headers file that a client sent before it sets its own.',
  },
  trusted_header_alias: {
    verdict: 'unauthenticated',
    advice:
      'Write the header with hyphens in the upstream proxy, and let it drop names with underscores or dots.',
  },
  trusted_header_hop_by_hop: {
    verdict: 'unauthenticated',
    advice:
      'No client in good faith does this. Let the upstream proxy set `Connection` itself instead of passing it on.',
  },
  user_missing: {
    verdict: 'unauthenticated',
    advice:
      'Let the upstream proxy authenticate this path and send the header that `proxy.header_map.user` names.',
  },
  user_malformed: {
    verdict: 'unauthenticated',
    advice: 'Let the upstream proxy send the name as UTF-8 text of 1 to 256 characters.',
  },
  groups_malformed: {
    verdict: 'unauthenticated',
    advice: 'Let the upstream proxy send the groups as UTF-8 text without control characters.',
  },
  no_role: {
    verdict: 'forbidden',
    advice:
      "Give the user a group that `proxy.role_map` lists (letter case counts), or set `proxy.default_role`. A header with several groups in it needs the proxy's separator in `proxy.separator`.",
  },
  no_session: {
    verdict: 'unauthenticated',
    advice: 'Nothing: the client has to log in.',
  },
  token_ambiguous: {
    verdict: 'unauthenticated',
    advice:
      'Let the client delete its cookies of this host and of the domains above it, and send one Authorization header.',
  },
  token_invalid: {
    verdict: 'unauthenticated',
    advice:
      'Nothing after the JWT secret was changed: the client has to log in again. Otherwise look at what the client sends.',
  },
  token_expired: {
    verdict: 'unauthenticated',
    advice: 'Nothing: the client has to log in again. `auth.session_length` says how long a session lasts.',
  },
  token_revoked: {
    verdict: 'unauthenticated',
    advice: 'Nothing: the client has to log in again.',
  },
  user_unknown: {
    verdict: 'unauthenticated',
    advice: 'Nothing, or add the user again: `script/postern users list` shows who there is.',
  },

  api_token_unknown: {
    verdict: 'unauthenticated',
    advice:
      'Make another token and give it to the client: `script/postern tokens list` shows which there are.',
  },
  api_token_expired: {
    verdict: 'unauthenticated',
    advice: 'Make another token, and revoke this one. The list of tokens says when each expires.',
  },
  api_token_too_wide: {
    verdict: 'unauthenticated',
    advice:
      'Revoke the token, and make one with a role that its owner may give. It is not narrowed by itself: whoever uses it would take half an answer for the whole.',
  },

  method_refused: {
    verdict: 'forbidden',
    advice: 'Nothing: no program of a recorder needs them. Somebody tries.',
  },
  host_unknown: {
    verdict: 'forbidden',
    advice:
      'If it is you who calls the internal edge by that name, add it to `networking.internal_hosts`, or call it by an address. If not, a page in a browser of your network tries to reach it (DNS rebinding). A front that asks on `networking.forward_auth.internal` has to say the host of the client.',
  },

  request_unparsable: {
    verdict: 'unauthenticated',
    frontOnly: true,
    advice: `The \`cause\` in the log line says what is wrong. \`HPE_HEADER_OVERFLOW\`: the headers are longer than ${maxHeaderSize / 1024} KiB; let the upstream proxy send fewer groups. Anything else: a client sent bytes that no HTTP allows.`,
  },

  uri_missing: {
    verdict: 'forbidden',
    frontOnly: true,
    advice:
      'Let the front send `X-Original-URL` and `X-Original-Method` with its question. In nginx: `proxy_set_header X-Original-URL $request_uri;` and `proxy_set_header X-Original-Method $request_method;`.',
  },
  front_unproven: {
    verdict: 'forbidden',
    frontOnly: true,
    advice:
      'If it is your front, add its network to `fronts.trusted`, or let it send `fronts.secret` in `X-Front-Secret`. If not, somebody can reach the listener who should not.',
  },
  front_path_unknown: {
    verdict: 'forbidden',
    frontOnly: true,
    advice:
      'The log line has the path at which the front asked (`path`). Let it ask at `/auth`, `/api/authz/forward-auth` or `/api/authz/ext-authz/`: docs/fronts/ has a folder for each front. If it is a path of the gate itself, let the front take the header that the line names out of what clients send.',
  },
  front_public_path: {
    verdict: 'forbidden',
    frontOnly: true,
    advice:
      'Let the front send the path of the log line to the gate itself, without a question: docs/fronts/ has a folder for each front. Whoever is logged in is not refused.',
  },
  front_header_missing: {
    verdict: 'forbidden',
    frontOnly: true,
    advice:
      'The log line names the dialect (`front`) and the header (`header`): let the front send it, or correct the path at which it asks. docs/fronts/ has a folder for each front.',
  },
  front_header_repeated: {
    verdict: 'forbidden',
    frontOnly: true,
    advice: 'Let the front set the header in place of the one that a client sent.',
  },
  front_header_malformed: {
    verdict: 'forbidden',
    frontOnly: true,
    advice:
      'Let the front set the header itself: a path that begins with a slash, `http` or `https`, a host with its port, a method. If it does, a client sent a Host that is none.',
  },
  front_header_alias: {
    verdict: 'forbidden',
    frontOnly: true,
    advice:
      'No client in good faith sends `Remote_User` for `Remote-User`. Let the front drop names with underscores or dots.',
  },
  front_headers_mixed: {
    verdict: 'forbidden',
    frontOnly: true,
    advice:
      'Let the front delete the header that the log line names from what clients send, or correct the path at which it asks.',
  },
  uri_malformed: {
    verdict: 'forbidden',
    advice: 'Correct the client: bad percent-encoding, bytes that are not UTF-8, or a fragment.',
  },
  uri_control_character: {
    verdict: 'forbidden',
    advice: 'Correct the client: a name with a control character cannot be reached through the gate.',
  },
  uri_backslash: { verdict: 'forbidden', advice: 'Correct the client: segments are separated by slashes.' },
  uri_encoded_slash: {
    verdict: 'forbidden',
    advice: 'Correct the client: send the slash as it is, and no name that contains one.',
  },
  uri_double_encoded: { verdict: 'forbidden', advice: 'Correct the client: encode the path once.' },
  uri_path_parameter: {
    verdict: 'forbidden',
    advice: 'Correct the client: no path of a recorder has a semicolon.',
  },
  uri_dot_segment: {
    verdict: 'forbidden',
    advice: 'Correct the client: resolve `.` and `..` before the request is sent.',
  },
  uri_base_path: {
    verdict: 'forbidden',
    advice:
      'Only when a front asks: let it take the prefix of `base_path` away before it asks and passes on, or leave `base_path` empty. Otherwise correct the client: the prefix comes once, and not percent-encoded.',
  },

  admin_only: {
    verdict: 'forbidden',
    advice: 'Nothing, or give the user the role `admin`.',
  },
  read_only: {
    verdict: 'forbidden',
    advice: 'Nothing, or give the user the role `admin`: every other role may send GET and HEAD only.',
  },
  camera_not_granted: {
    verdict: 'forbidden',
    advice:
      'Nothing, or add the camera to the role in `auth.roles`. Letter case counts, and streams asked for by `src` are granted by the names of cameras.',
  },
  login_needed: {
    verdict: 'forbidden',
    advice:
      'Log in for it, or use the `postern` command: API tokens cannot change accounts, sessions and API tokens (docs/api-tokens.md).',
  },
  cameras_unnamed: {
    verdict: 'forbidden',
    advice:
      'Let the client name the cameras in the query, as docs/api-tokens.md says, or use a token of a custom role without a list of cameras.',
  },
  recorder_role_unverified: {
    verdict: 'forbidden',
    advice:
      'Look at Settings > Roles: it says what the recorder answered. Define the role in the recorder too, with the same cameras or fewer, and let `upstream` name the port where the recorder believes the identity headers (docs/custom-roles.md). Or let the client name cameras in the query.',
  },
  target_unresolved: {
    verdict: 'forbidden',
    advice:
      'Nothing: directory listings, and clips and exports that name no camera, are closed to custom roles. A path that does name its camera needs a rule in `access.rules` (docs/access.md).',
  },

  cross_site: {
    verdict: 'forbidden',
    advice:
      'Nothing when the page was of another site. Otherwise let every proxy in front pass the Host header on as the browser sent it.',
  },

  identity_changed: {
    verdict: 'forbidden',
    advice:
      'Nothing: the change was not made, since the configuration was changed between the request and its effect. Whoever still may do it asks again.',
  },

  failure: {
    verdict: 'forbidden',
    advice: 'Read the error in the log line before this one, and report it.',
  },
};
