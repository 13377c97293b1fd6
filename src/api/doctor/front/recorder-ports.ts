import { type Finding, finding, info, skipped } from '../check.ts';
import type { DoctorOptions, FrontCheck } from './examination.ts';
import { type Place, authority } from './exchange.ts';
import { identify, type KnownServer } from './known-servers.ts';

/** Frigate's login and its neighbours in the same container; `internal-direct` asks 5000. */
export const recorderPorts = [8971, 8970, 1984, 8554, 8555] as const;

/** go2rtc waits there for a browser that it has spoken with before, so it tells nothing about itself. */
const webRtcPort = 8555;

/** Frigate and its go2rtc don't answer beside Postern. */
export const recorderDirect: FrontCheck = {
  name: 'recorder-direct',
  run: async ({ options, knock }) => {
    const { recorder } = options;
    if (recorder === undefined)
      return [
        skipped('here is the machine of the front itself: try from another, or give --recorder host:port'),
      ];
    const places = recorder.filter((place) => !isFront(place, options));
    return Promise.all(places.map(async (place) => findingOf(place, await identify(place, knock))));
  },
};

/** Users open it: the gate's, or a front of it. */
function isFront({ host, port }: Place, { front, http }: DoctorOptions): boolean {
  return [front, http].some((place) => place?.host === host && place.port === port);
}

function findingOf(place: Place, server: KnownServer): Finding {
  const sent = `a request to ${authority(place)}`;
  const said = saysAt(authority(place), server);
  if (said !== undefined) return finding(sent, 'no answer', said.seen, said.change);
  if (server === 'closed-rtsp')
    return info(sent, 'streams by RTSP, with a password: who knows it gets past Postern');
  if (server === 'other')
    return info(
      sent,
      place.port === webRtcPort
        ? "an open port: WebRTC, if it is Frigate's; Postern cannot cut what flows there"
        : 'a server that is neither Frigate nor Postern',
    );
  return finding(sent, 'no answer', server === 'postern' ? 'Postern itself' : 'no answer', false);
}

/** @returns the sentence about a server of a recorder, and what to change; `undefined` for any other */
export function saysAt(
  place: string,
  server: KnownServer,
): { readonly seen: string; readonly change: string } | undefined {
  switch (server) {
    case 'open-frigate':
      return {
        seen: 'Frigate, which lets everyone in',
        change: `everyone who reaches ${place} is past Postern: delete this port from Frigate's service; where Postern needs it on the same machine, publish it for 127.0.0.1 only`,
      };
    case 'frigate':
      return {
        seen: 'Frigate, with its own sign-in or secret',
        change: `${place} is a way to Frigate without Postern, which Frigate alone guards: delete this port from Frigate's service; where Postern needs it on the same machine, publish it for 127.0.0.1 only`,
      };
    case 'go2rtc':
      return {
        seen: 'go2rtc of Frigate',
        change: `go2rtc at ${place} has every camera, and may tell their passwords: delete this port from Frigate's service, or set go2rtc.api.listen: 127.0.0.1:1984 in Frigate's config.yml`,
      };
    case 'rtsp':
      return {
        seen: 'streams by RTSP, without a password',
        change: `${place} has the live stream of every camera: delete this port from Frigate's service, or set go2rtc.rtsp.username and go2rtc.rtsp.password in Frigate's config.yml`,
      };
    case 'none':
    case 'postern':
    case 'closed-rtsp':
    case 'other':
      return undefined;
  }
}
