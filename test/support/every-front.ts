import { frontNames, startFront } from './start-front.ts';
import type { RunningGateway } from './start-gateway.ts';
import { startNginxFor, type NginxOptions } from './start-nginx.ts';

/** What clients reach the authenticated entry point by. */
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
 * Every front that there is, before one gateway and one recorder: nginx with each configuration of the project, those of
 * docs/fronts whose programs Debian has, and the embedded one.
 * @param gateway whose upstream is the recorder; fronts that need TCP ask by loopback
 * @param recorder `host:port`
 */
export async function startEveryFront(
  gateway: Pick<RunningGateway, 'addresses'>,
  recorder: string,
): Promise<AnyFront[]> {
  const address = gateway.addresses.forwardAuthAuthenticated ?? '';
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
        const { address: at, tls, close } = await startFront(name, { gateway: address, recorder });
        return { name, address: at, tls, close };
      }),
    )),
    ...(embedded === undefined
      ? []
      : [{ name: 'embedded front', address: embedded, tls: true, close: () => Promise.resolve() }]),
  ];
}
