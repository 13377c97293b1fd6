import * as v from 'valibot';
import { parseListenAddress } from './listen.ts';
import { described, flag, seconds, text } from './values.ts';

/** The section `recorder` of config.yml: how the gate asks the recorder at `upstream`. */
export const recorder = {
  auth_secret: described(
    v.optional(v.string('text')),
    'What the recorder at `upstream` expects in `X-Proxy-Secret`: the gate sends it when it asks the recorder about roles, and the embedded front and the relay with every request. `{SERVICE_NAME}` inside it is replaced as in `proxy.auth_secret`.',
  ),
  certificate: described(
    v.optional(text('path of a PEM file')),
    'Path of the certificate of a recorder that made its own (`upstream` begins with https). The gate accepts exactly this one, whatever name and time it says, and what it has signed for its own name.',
  ),
  manage_roles: described(
    v.optional(flag, false),
    "Writes custom roles that are made, changed or deleted in the gate to the recorder's own `auth.roles`, as an admin, and verifies them after that: docs/custom-roles.md. Roles that only the recorder has stay there.",
  ),
  check_interval: described(
    v.optional(v.pipe(seconds(1), v.maxValue(3_600, 'at most 3600 seconds')), 60),
    'Seconds after which the gate asks the recorder again which cameras each custom role has there: docs/custom-roles.md. For that long it may believe a recorder that was restarted with other roles.',
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
  "Where permitted requests go: the URL of the recorder's own API, on the port where it believes the identity headers, or `unix:/path`. The embedded front and the relay pass them on to it. Other fronts know their recorder by themselves; the gate then asks it here what it knows of custom roles. Set it to the address of `events.listen` when fronts pass requests on to the embedded events app. Default: the embedded events app, for the embedded front and the relay.",
);

function isUpstream(value: string): boolean {
  if (value.startsWith('unix:')) return parseListenAddress(value) !== undefined;
  if (!URL.canParse(value) || value.includes('?')) return false;
  const { protocol, pathname } = new URL(value);
  return /^https?:$/.test(protocol) && pathname === '/';
}
