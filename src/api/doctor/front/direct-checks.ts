import { certificateAdvice, factsOf } from './certificate-advice.ts';
import { type Finding, finding, info, skipped } from '../check.ts';
import type { DoctorOptions, Examination, FrontCheck } from './examination.ts';
import { type ProbeAnswer, type Place, type RawRequest, authority, inWords, isSuccess } from './exchange.ts';
import { identify } from './known-servers.ts';
import { saysAt } from './recorder-ports.ts';

interface Listener {
  readonly name: string;
  readonly places: (options: DoctorOptions) => readonly Place[] | Place | undefined;
  /** The reason to skip it without an address. */
  readonly missing: string;
  readonly request: RawRequest;
  readonly change: string;
  /** Frigate has the same port, where it treats everyone as an admin. */
  readonly mayBeRecorder?: true;
}

/** Listeners that trust every client must not answer from here. */
const listeners: readonly Listener[] = [
  {
    name: 'gate-direct',
    places: ({ gates }) => gates,
    missing: 'give --gate host:port, as networking.forward_auth and networking.relay have it',
    request: {
      target: '/auth',
      headers: [
        ['X-Original-Method', 'GET'],
        ['X-Original-URL', '/login'],
      ],
    },
    change:
      'networking.forward_auth and networking.relay, .authenticated and .internal: unix:/run/postern/….sock in config.yml, or an address that only the front reaches',
  },
  {
    name: 'events-direct',
    places: ({ events }) => events,
    missing: 'give --events host:port, as events.listen has it',
    request: {
      target: '/api/events?limit=1',
      headers: [
        ['Remote-User', 'postern-doctor'],
        ['Remote-Role', 'viewer'],
      ],
    },
    change: 'events.listen: unix:/run/postern/events.sock in config.yml, and nothing that forwards to it',
  },
  {
    name: 'internal-direct',
    places: ({ internal }) => internal,
    missing: 'here is the machine of the front itself: try from another, or give --internal host:port',
    request: { target: '/api/profile' },
    change:
      'networking.listen.internal: 127.0.0.1:5000 in config.yml, listen 127.0.0.1:5000; in nginx.conf, and no published port of a container',
    mayBeRecorder: true,
  },
];

export const directChecks = listeners.map((listener): FrontCheck => ({
  name: listener.name,
  run: async (examination) => {
    const found = [listener.places(examination.options) ?? []].flat();
    if (found.length === 0) return [skipped(listener.missing)];
    const findings = [];
    for (const place of found) findings.push(await knockAt(place, listener, examination));
    return findings;
  },
}));

async function knockAt(
  place: Place,
  { request, change, mayBeRecorder }: Listener,
  { knock, options }: Examination,
): Promise<Finding> {
  const answer = await knock(place, request);
  const [sent, expected] = [`GET ${request.target} to ${authority(place)}`, 'no answer'];
  if (answer.status === 0 || mayBeRecorder === undefined || answer.headers.has('x-postern-decision'))
    return finding(sent, expected, inWords(answer), answer.status !== 0 && change);
  const server = await identify(place, knock);
  const said = saysAt(authority(place), server);
  if (said !== undefined) return finding(sent, expected, said.seen, said.change);
  // Another program may have Frigate's port; one that the operator names is Postern's.
  return options.isInternalGiven
    ? finding(sent, expected, inWords(answer), change)
    : info(sent, 'a server that is neither Frigate nor Postern');
}

/** The front has a valid certificate for its name, and plain HTTP only redirects to https. */
export const tls: FrontCheck = {
  name: 'tls',
  run: async (examination) => [connection(examination), await plainHttp(examination)],
};

function connection({ options, first: { certificateProblem, certificate } }: Examination): Finding {
  const { front, insecure } = options;
  if (!front.tls) {
    return finding(
      `GET / to ${authority(front)}`,
      'TLS',
      'plain HTTP',
      'listen with ssl, or set tls.enabled: true, and give the users the https address',
    );
  }
  if (certificateProblem !== undefined && insecure)
    return skipped(`--insecure: the certificate is not looked at (${certificateProblem})`);
  const good = 'a valid certificate';
  return finding(
    'a TLS handshake',
    good,
    certificateProblem ?? good,
    certificateProblem !== undefined &&
      certificateAdvice(certificateProblem, front.host, certificate ?? factsOf({})),
  );
}

async function plainHttp({ options, knock }: Examination): Promise<Finding> {
  const { http, prefix } = options;
  if (http === undefined) return skipped('give --http host:port, where plain HTTP is answered');
  const answer = await knock(http, { target: `${prefix}/` });
  return finding(
    `GET / in plain HTTP to ${authority(http)}`,
    'a redirect to https, or nothing',
    inWords(answer),
    isServed(answer) && 'return 301 https://$host$request_uri; in that server',
  );
}

/** An unencrypted answer with which a browser would continue: a page, a request for a login, a redirect to more of it. */
function isServed(answer: ProbeAnswer): boolean {
  if (answer.status >= 300 && answer.status < 400) {
    return !answer.headers.get('location')?.every((url) => /^https:/i.test(url));
  }
  return isSuccess(answer) || answer.status === 401;
}
