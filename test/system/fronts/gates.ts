import { goodPassword, printedPassword, visitor } from '../../support/log-in.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';

/** A gate with sessions, that the tests put behind a front. */
export interface SessionGate {
  /** Where fronts ask: `host:port`. */
  readonly address: string;
  /** Where they send requests that the gate passes on itself: `host:port`. */
  readonly relay: string;
  readonly adminPassword: string;
  /** Lets time pass for the sessions. */
  passTime(seconds: number): void;
  close(): Promise<void>;
}

/** A gate behind a proxy that signs users on. */
export interface ProxyGate {
  /** Where fronts ask: `host:port`. */
  readonly address: string;
  /** The headers of a request of its user nell (operator: driveway). */
  readonly nell: ReadonlyArray<readonly [name: string, value: string]>;
  close(): Promise<void>;
}

const common = {
  networking: {
    listen: { authenticated: 'off', internal: 'off' },
    forward_auth: { authenticated: '127.0.0.1:0' },
    relay: { authenticated: '127.0.0.1:0' },
  },
  cameras: ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'],
  // One with a UI of its own: `/` is not the gate's.
  upstream: 'http://recorder.example',
};
const roles = { operator: ['driveway'] };

/**
 * Sessions of 1,000 seconds, refreshed in the last 300; users olaf (viewer) and nell (operator: driveway).
 * @param recorder `host:port`
 */
export async function startSessionGate(recorder?: string): Promise<SessionGate> {
  let nowSeconds = Date.UTC(2026, 10, 1) / 1000;
  const gateway = await startGateway({
    config: {
      ...common,
      ...(recorder === undefined ? {} : { upstream: `http://${recorder}` }),
      auth: { roles, session_length: 1_000, refresh_time: 300, failed_login_rate_limit: null },
    },
    clock: { now: () => nowSeconds * 1000 },
  });
  const address = authorizationRequestsTo(gateway);
  const adminPassword = printedPassword(gateway);
  const admin = visitor(address, false);
  await admin.logIn('admin', adminPassword);
  for (const [username, role] of [
    ['olaf', 'viewer'],
    ['nell', 'operator'],
  ] as const) {
    await admin.send('POST', '/api/users', { username, password: goodPassword, role });
  }
  return {
    address,
    relay: gateway.addresses.relayAuthenticated ?? '',
    adminPassword,
    passTime: (seconds) => {
      nowSeconds += seconds;
    },
    close: gateway.close,
  };
}

export async function startProxyGate(): Promise<ProxyGate> {
  const secret = 'from the proxy';
  const gateway = await startGateway({
    config: {
      ...common,
      auth: { enabled: false, roles },
      proxy: {
        auth_secret: secret,
        header_map: { user: 'X-Forwarded-User', role: 'X-Forwarded-Groups' },
        role_map: { operator: ['group_operator'] },
      },
    },
  });
  return {
    address: authorizationRequestsTo(gateway),
    nell: [
      ['X-Proxy-Secret', secret],
      ['X-Forwarded-User', 'nell'],
      ['X-Forwarded-Groups', 'group_operator'],
    ],
    close: gateway.close,
  };
}

function authorizationRequestsTo({ addresses }: RunningGateway): string {
  return addresses.forwardAuthAuthenticated ?? '';
}
