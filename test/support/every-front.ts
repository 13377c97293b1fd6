import type { KnownRoles } from './recorder-profile.ts';
import { startRecordingUpstream, type RecordingUpstream } from './recording-upstream.ts';
import { frontNames, startFront } from './start-front.ts';
import { startGateway, type GatewayOptions, type RunningGateway } from './start-gateway.ts';
import { startNginxFor, type NginxOptions } from './start-nginx.ts';

/** How clients reach the authenticated entry point. */
export interface AnyFront {
  readonly name: string;
  /** `host:port` */
  readonly address: string;
  readonly tls: boolean;
  close(): Promise<void>;
}

const nginxes: Readonly<Record<string, Partial<NginxOptions>>> = {
  'nginx.conf': {},
  'nginx.conf with shared pages': { sharedPages: true },
  'recorder.conf': { main: 'recorder.conf' },
};

/** Names of the fronts that `startEveryFront` starts. */
export const everyFront = [...Object.keys(nginxes), ...frontNames, 'embedded front'];

/**
 * Every front, before one gateway and one recorder: nginx with each configuration of the project, those of
 * docs/fronts whose programs Debian has, and the embedded one.
 * @param gateway whose upstream is the recorder; fronts that need TCP ask by loopback
 * @param recorder `host:port`
 */
export async function startEveryFront(
  gateway: Pick<RunningGateway, 'addresses'>,
  recorder: string,
): Promise<AnyFront[]> {
  const { forwardAuthAuthenticated: address = '', relayAuthenticated: relay } = gateway.addresses;
  const embedded = gateway.addresses.authenticated;
  return [
    ...(await Promise.all(
      Object.entries(nginxes).map(async ([name, options]) => {
        const nginx = await startNginxFor(gateway, { recorder, ...options });
        return { name, address: nginx.authenticated, tls: true, close: nginx.close };
      }),
    )),
    ...(await Promise.all(
      frontNames.map(async (name) => {
        const {
          address: at,
          tls,
          close,
        } = await startFront(name, { gateway: address, recorder, ...(relay === undefined ? {} : { relay }) });
        return { name, address: at, tls, close };
      }),
    )),
    ...(embedded === undefined
      ? []
      : [{ name: 'embedded front', address: embedded, tls: true, close: () => Promise.resolve() }]),
  ];
}

/** The key `networking` of a gateway that every front can ask. */
export const networking = {
  listen: { authenticated: '127.0.0.1:0', internal: 'off' },
  forward_auth: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
  relay: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
};

export interface FrontedGateway {
  readonly gateway: RunningGateway;
  /** The recorder behind the gateway. */
  readonly upstream: RecordingUpstream;
  /** @param name one of `everyFront` */
  front(name: string): AnyFront;
  close(): Promise<void>;
}

/**
 * A gateway before a recorder that records its requests, behind every front.
 * @param known the roles of the recorder
 */
export async function startFrontedGateway(
  config: GatewayOptions['config'] = {},
  known?: KnownRoles,
): Promise<FrontedGateway> {
  const upstream = await startRecordingUpstream(known);
  const gateway = await startGateway({
    config: { networking, upstream: `http://${upstream.address}`, ...config },
  });
  const fronts = await startEveryFront(gateway, upstream.address);
  return {
    gateway,
    upstream,
    front: (name) => {
      const found = fronts.find((front) => front.name === name);
      if (found === undefined) throw new Error(`no front is called ${name}`);
      return found;
    },
    close: async () => {
      await Promise.all(fronts.map((front) => front.close()));
      await gateway.close();
      await upstream.close();
    },
  };
}
