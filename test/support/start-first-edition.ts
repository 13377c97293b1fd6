import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { clockAt } from './clock-at.ts';
import { visitor, type Visitor } from './log-in.ts';
import { projectRoot, startGateway, type RunningGateway } from './start-gateway.ts';
import { startNginxFor } from './start-nginx.ts';

interface EarlierStore {
  readonly at: string;
  readonly secret: string;
  readonly passwords: Readonly<Record<string, string>>;
  readonly generatedPassword: string;
  readonly tokens: Readonly<Record<string, string>>;
}

export interface FirstEdition {
  readonly gateway: RunningGateway;
  /** `host:port` of nginx, which speaks TLS there. */
  readonly address: string;
  readonly store: EarlierStore;
  /** Logged in by nginx. */
  readonly admin: Visitor;
  close(): Promise<void>;
}

/**
 * The gate of today, with what somebody has who ran the first edition: its database, a `config.yml` with a key that means nothing any
 * more, and nginx with its files as they were. In front of the events app alone.
 */
export async function startFirstEdition(): Promise<FirstEdition> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-first-edition-'));
  const fixtures = join(projectRoot, 'test', 'support', 'earlier-stores');
  const file = new DatabaseSync(join(directory, 'postern.db'));
  file.exec(readFileSync(join(fixtures, 'v2.sql'), 'utf8'));
  file.close();
  const store = JSON.parse(readFileSync(join(fixtures, 'v2.json'), 'utf8')) as EarlierStore;
  writeFileSync(
    join(directory, 'config.yml'),
    `# As the first edition's documents had it.
networking:
  listen:
    authenticated: 'off'
    internal: 'off'
  forward_auth:
    authenticated: unix:${directory}/authenticated.sock
    internal: unix:${directory}/internal.sock
auth:
  enabled: true
  roles:
    operator: [garage]
cache:
  verdicts: 8
`,
  );
  const gateway = await startGateway({
    directory,
    keepConfig: true,
    environment: { SERVICE_JWT_SECRET: store.secret },
    clock: clockAt(Date.parse(store.at) + 1_000),
  });
  const nginx = await startNginxFor(gateway, {
    files: join(projectRoot, 'test', 'support', 'first-edition', 'nginx'),
    sharedPages: true,
  });
  const admin = visitor(nginx.authenticated);
  await admin.logIn('admin', store.generatedPassword);
  return {
    gateway,
    address: nginx.authenticated,
    store,
    admin,
    close: async () => {
      await nginx.close();
      await gateway.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
