import { stringify } from 'yaml';
import { startGate, type GateProcess } from '../gate-process.ts';
import { openRecordedSite, roleVerified, type RecordedSite } from '../recorded-site.ts';
import { cookiesOf, post, site, user, type ConfigurationFile, type SignedIn } from './contestant.ts';

export interface Postern {
  readonly site: RecordedSite;
  readonly gate: GateProcess;
  readonly configuration: readonly ConfigurationFile[];
  /** A user with the role `admin`. */
  readonly admin: SignedIn;
  /** A user with a role that is limited to cameras. */
  readonly neighbour: SignedIn;
}

/** Postern as `script/server` runs it, before a recorder with its database. */
export async function startPostern(): Promise<Postern> {
  const recorded = await openRecordedSite();
  const gate = await startGate(recorded.config);
  const { address } = gate;
  await roleVerified(address);
  const signIn = async (name: string, password: string): Promise<SignedIn> => {
    const body = JSON.stringify({ user: name, password });
    const cookie = cookiesOf(await post({ address, uri: '/api/login', host: site.recorder, body }));
    return {
      address,
      path: '/auth',
      origin: '',
      cookie,
      pid: gate.pid,
      signOut: () => post({ address, uri: '/api/logout', host: site.recorder, cookie, body: '{}' }),
    };
  };
  const admin = await signIn('admin', gate.password);
  const body = JSON.stringify({ username: user.name, password: user.password, role: 'neighbour' });
  const added = await post({
    address,
    uri: '/api/users',
    host: site.recorder,
    cookie: admin.cookie,
    body,
  });
  if (added.status !== 201) throw new Error(`adding a user: ${added.status} ${added.body}`);
  const shown = {
    ...recorded.config,
    events: { database: '/config/recorder.db' },
    upstream: 'recorder:5000',
  };
  return {
    site: recorded,
    gate,
    configuration: [{ name: 'config.yml', language: 'yaml', text: stringify(shown) }],
    admin,
    neighbour: await signIn(user.name, user.password),
  };
}
