import { inWords } from './answer.ts';
import type { Examination } from './examination.ts';
import { fault, ok, skipped, type Finding, type Probe } from './probe.ts';
import { authority, type Place, type RawRequest } from './raw-exchange.ts';

export const gateDirectProbe: Probe = {
  name: 'gate-direct',
  meaning:
    'The listeners where a front asks the gate, and to which it sends what the gate passes on, do not answer from here (`--gate`, once for each): whoever reaches it can claim to be anybody, and is admin on that of the internal entry point.',
  change:
    '`networking.forward_auth.authenticated: unix:/run/postern/authenticated.sock` in `config.yml`, and likewise `internal`, and both of `networking.relay`; when it must be TCP, a network that only the front is in.',
  run: async (examination) => {
    const { gates } = examination.options;
    if (gates.length === 0)
      return [skipped('give --gate host:port, as networking.forward_auth and networking.relay have it')];
    const findings = [];
    for (const gate of gates) {
      const request: RawRequest = {
        target: '/auth',
        headers: [
          ['X-Original-Method', 'GET'],
          ['X-Original-URL', '/login'],
        ],
      };
      const change =
        'networking.forward_auth and networking.relay, .authenticated and .internal: unix:/run/postern/….sock in config.yml, or an address that only the front reaches';
      findings.push(await mustBeSilent(examination, gate, request, change));
    }
    return findings;
  },
};

export const eventsDirectProbe: Probe = {
  name: 'events-direct',
  meaning:
    'The events app does not answer from here (`--events`): it believes the identity headers of everybody who reaches it.',
  change:
    '`events.listen: unix:/run/postern/events.sock` in `config.yml`; nothing else may forward to it, a container or a tunnel for one.',
  run: async (examination) => {
    const { events } = examination.options;
    if (events === undefined) return [skipped('give --events host:port, as events.listen has it')];
    const request: RawRequest = {
      target: '/api/events?limit=1',
      headers: [
        ['Remote-User', 'postern-doctor'],
        ['Remote-Role', 'viewer'],
      ],
    };
    const change =
      'events.listen: unix:/run/postern/events.sock in config.yml, and nothing that forwards to it';
    return [await mustBeSilent(examination, events, request, change)];
  },
};

export const internalDirectProbe: Probe = {
  name: 'internal-direct',
  meaning:
    'The internal entry point does not answer from here: everybody who reaches it is admin. By default port 5000 of the host of `--url`, unless that is this machine; `--internal` names another.',
  change:
    '`networking.listen.internal: 127.0.0.1:5000` (or `off`) in `config.yml`, `listen 127.0.0.1:5000;` in `nginx/nginx.conf`, and no published port 5000 of a container.',
  run: async (examination) => {
    const { internal } = examination.options;
    if (internal === undefined) {
      return [
        skipped('here is the machine of the front itself: try from another, or give --internal host:port'),
      ];
    }
    const change =
      'networking.listen.internal: 127.0.0.1:5000 in config.yml, listen 127.0.0.1:5000; in nginx.conf, and no published port of a container';
    return [await mustBeSilent(examination, internal, { target: '/api/profile' }, change)];
  },
};

async function mustBeSilent(
  { knock }: Examination,
  place: Place,
  request: RawRequest,
  change: string,
): Promise<Finding> {
  const answer = await knock(place, request);
  const sent = `GET ${request.target} to ${authority(place)}`;
  const expected = 'no answer';
  return answer.status === 0
    ? ok(sent, expected, inWords(answer))
    : fault(sent, expected, inWords(answer), change);
}
