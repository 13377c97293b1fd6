import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putEarlierStore, type EarlierStore } from './earlier-store.ts';
import { visitor, type Visitor } from './log-in.ts';
import { projectRoot, startGateway, type RunningGateway } from './start-gateway.ts';
import { startNginxFor } from './start-nginx.ts';

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
  const store = putEarlierStore(2, directory);
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
  const gateway = await startGateway({ directory, keepConfig: true, ...store.gatewayOptions });
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
