import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePort } from '../../../test/support/ports.ts';
import { startServer } from '../child.ts';
import { temporaryDirectory } from '../running.ts';
import { cookiesOf, post, site, user, type Contestant } from './contestant.ts';

interface Place {
  readonly address: string;
  readonly directory: string;
  readonly secret: string;
}

function configuration({ address, directory, secret }: Place): string {
  return stringify({
    server: { address: `tcp://${address}/` },
    log: { level: 'warn' },
    // It would ask a server of time on the internet.
    ntp: { disable_startup_check: true },
    authentication_backend: { file: { path: `${directory}/users.yml` } },
    access_control: {
      default_policy: 'deny',
      rules: [{ domain: site.recorder, policy: 'one_factor' }],
    },
    session: {
      secret,
      cookies: [{ domain: site.recorder, authelia_url: `https://${site.signIn}` }],
    },
    storage: { encryption_key: secret, local: { path: `${directory}/db.sqlite3` } },
    notifier: { filesystem: { filename: `${directory}/notifications.txt` } },
    identity_validation: { reset_password: { jwt_secret: secret } },
  });
}

const users = stringify({
  users: {
    [user.name]: { displayname: 'Olaf', password: user.hash, email: `${user.name}@${site.recorder}` },
  },
});

export const authelia: Contestant = {
  name: 'Authelia',
  variable: 'AUTHELIA',
  command: 'authelia',
  version: ['--version'],
  configuration: [
    {
      name: 'configuration.yml',
      language: 'yaml',
      text: configuration({ address: '127.0.0.1:9091', directory: '/config', secret: 'a random secret' }),
    },
    { name: 'users.yml', language: 'yaml', text: users },
  ],
  does: 'Loads the session from memory, and evaluates its access-control rules: domain, path, method, network, user and group.',
  more: 'A second factor by rule, LDAP, sessions in Redis, and it is an OpenID Connect provider.',
  start: async (program) => {
    const directory = temporaryDirectory('authelia');
    const address = `127.0.0.1:${await freePort()}`;
    const file = join(directory, 'configuration.yml');
    writeFileSync(file, configuration({ address, directory, secret: randomBytes(32).toString('hex') }));
    writeFileSync(join(directory, 'users.yml'), users);
    const { pid } = await startServer(
      { command: program, arguments: ['--config', file] },
      address,
      join(directory, 'log'),
    );
    const body = JSON.stringify({ username: user.name, password: user.password, keepMeLoggedIn: false });
    const cookie = cookiesOf(await post({ address, uri: '/api/firstfactor', body }));
    return {
      address,
      path: '/api/authz/auth-request',
      origin: `https://${site.recorder}`,
      cookie,
      pid,
      signOut: () => post({ address, uri: '/api/logout', cookie, body: '{}' }),
    };
  },
};
