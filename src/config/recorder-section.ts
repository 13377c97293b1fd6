import * as v from 'valibot';
import { parseListenAddress } from './listen.ts';
import { described, flag, seconds, text } from './values.ts';

/** The section `recorder` of config.yml: how the gate asks the recorder at `upstream`. */
export const recorder = {
  auth_secret: described(
    v.optional(v.string('text')),
    'What the recorder at `upstream` expects in `X-Proxy-Secret`.',
  ),
  certificate: described(
    v.optional(text('path of a PEM file')),
    'Path of the self-signed certificate of the recorder (`upstream` with https). It is accepted with any name and time, and so is what it has signed for its own name.',
  ),
  manage_roles: described(
    v.optional(flag, false),
    "Writes changed custom roles to the recorder's own `auth.roles` (docs/custom-roles.md).",
  ),
  check_interval: described(
    v.optional(v.pipe(seconds(1), v.maxValue(3_600, 'at most 3600 seconds')), 60),
    'Seconds between two checks of which cameras each custom role has at the recorder (docs/custom-roles.md).',
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
  "The recorder's address, on the port where it trusts the identity headers: for the embedded front, the relay and the check of custom roles. For other fronts of the events app, the address of `events.listen`. Default: the embedded events app.",
);

function isUpstream(value: string): boolean {
  if (value.startsWith('unix:')) return parseListenAddress(value) !== undefined;
  if (!URL.canParse(value) || value.includes('?')) return false;
  const { protocol, pathname } = new URL(value);
  return /^https?:$/.test(protocol) && pathname === '/';
}
