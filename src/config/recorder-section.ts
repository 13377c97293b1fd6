import * as v from 'valibot';
import { parseListenAddress } from './listen.ts';
import { described, flag, seconds, text } from './values.ts';

/** The section `recorder` of config.yml: how the gate asks the recorder at `upstream`. */
export const recorder = {
  auth_secret: described(
    v.optional(v.string('text')),
    'What the recorder at `upstream` expects in `X-Proxy-Secret`. The gate sends it with every request of its own, of the embedded front and of the relay.',
  ),
  certificate: described(
    v.optional(text('path of a PEM file')),
    'Path of the self-signed certificate of the recorder (`upstream` with https). The gate accepts exactly this one, with any name and time, and certificates that it has signed for its own name.',
  ),
  manage_roles: described(
    v.optional(flag, false),
    "Writes changed custom roles to the recorder's own `auth.roles` and verifies them (docs/custom-roles.md). Roles that only the recorder has stay there.",
  ),
  check_interval: described(
    v.optional(v.pipe(seconds(1), v.maxValue(3_600, 'at most 3600 seconds')), 60),
    'Seconds after which the gate checks again which cameras each custom role has at the recorder (docs/custom-roles.md). For that long it may trust a recorder that was restarted with other roles.',
  ),
};

const upstreamAddress = v.pipe(
  v.string('a URL'),
  v.check(isUpstream, 'an http or https URL without a path, or unix:/path of a socket'),
);

/** For forms: without a user name or password, which every admin would see. */
export const recorderAddress = v.pipe(
  upstreamAddress,
  v.maxLength(256, 'at most 256 characters'),
  v.check((value) => !/^https?:.*[@#]/i.test(value), 'no name, password or fragment'),
);

/** `upstream`: an origin, or a Unix socket. */
export const upstream = described(
  v.optional(upstreamAddress),
  "The recorder's address, on the port where it trusts the identity headers. The embedded front and the relay pass permitted requests on to it, and the gate checks custom roles there. If fronts pass requests on to the embedded events app, set it to the address of `events.listen`. Default: the embedded events app, for the embedded front and the relay.",
);

function isUpstream(value: string): boolean {
  if (value.startsWith('unix:')) return parseListenAddress(value) !== undefined;
  if (!URL.canParse(value) || value.includes('?')) return false;
  const { protocol, pathname } = new URL(value);
  return /^https?:$/.test(protocol) && pathname === '/';
}
