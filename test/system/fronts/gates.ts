import { goodPassword, printedPassword, visitor } from '../../support/log-in.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';

export const proxySecret = 'from the proxy';

/** The gates that the tests put behind a front: one with sessions, one behind a proxy that signs users on. */
export interface Gates {
  readonly sessions: RunningGateway;
  readonly proxy: RunningGateway;
  readonly adminPassword: string;
  /** Lets time pass for the sessions. */
  passTime(seconds: number): void;
  close(): Promise<void>;
}

const common = {
  networking: {
    listen: { authenticated: 'off', internal: 'off' },
    forward_auth: { authenticated: '127.0.0.1:0' },
  },
  cameras: ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'],
  // One with a UI of its own: `/` is not the gate's.
  upstream: 'http://recorder.example',
};
const roles = { operator: ['driveway'] };

/** Sessions of 1,000 seconds, refreshed in the last 300; users olaf (viewer) and nell (operator: driveway). */
export async function startGates(): Promise<Gates> {
  let clock = Date.UTC(2026, 10, 1) / 1000;
  const [sessions, proxy] = await Promise.all([
    startGateway({
      config: {
        ...common,
        auth: { roles, session_length: 1_000, refresh_time: 300, failed_login_rate_limit: null },
      },
      now: () => new Date(clock * 1000),
    }),
    startGateway({
      config: {
        ...common,
        auth: { enabled: false, roles },
        proxy: {
          auth_secret: proxySecret,
          header_map: { user: 'X-Forwarded-User', role: 'X-Forwarded-Groups' },
          role_map: { operator: ['group_operator'] },
        },
      },
    }),
  ]);
  const adminPassword = printedPassword(sessions);
  const admin = visitor(questionsTo(sessions), false);
  await admin.logIn('admin', adminPassword);
  for (const [username, role] of [
    ['olaf', 'viewer'],
    ['nell', 'operator'],
  ] as const) {
    await admin.send('POST', '/api/users', { username, password: goodPassword, role });
  }
  return {
    sessions,
    proxy,
    adminPassword,
    passTime: (seconds) => {
      clock += seconds;
    },
    close: async () => {
      await proxy.close();
      await sessions.close();
    },
  };
}

/** Where fronts ask: `host:port`. */
export function questionsTo({ addresses }: RunningGateway): string {
  return addresses.forwardAuthAuthenticated ?? '';
}
