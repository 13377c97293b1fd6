import { finding, skipped } from '../check.ts';
import { inWords } from './answer.ts';
import type { DoctorOptions, FrontCheck } from './examination.ts';
import { authority, type Place, type RawRequest } from './raw-exchange.ts';

interface Listener {
  readonly name: string;
  readonly places: (options: DoctorOptions) => readonly Place[] | Place | undefined;
  /** The reason to skip it without an address. */
  readonly missing: string;
  readonly request: RawRequest;
  readonly change: string;
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
  },
];

export const directChecks = listeners.map(({ name, places, missing, request, change }): FrontCheck => ({
  name,
  run: async ({ options, knock }) => {
    const found = [places(options) ?? []].flat();
    if (found.length === 0) return [skipped(missing)];
    const findings = [];
    for (const place of found) {
      const answer = await knock(place, request);
      const sent = `GET ${request.target} to ${authority(place)}`;
      findings.push(finding(sent, 'no answer', inWords(answer), answer.status !== 0 && change));
    }
    return findings;
  },
}));
