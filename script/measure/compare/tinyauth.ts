import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../test/support/ports.ts';
import { startServer } from '../child.ts';
import { temporaryDirectory } from '../running.ts';
import { cookiesOf, post, site, user, type Contestant } from './contestant.ts';

function configuration(port: string, directory: string): Readonly<Record<string, string>> {
  return {
    TINYAUTH_APPURL: `https://${site.signIn}`,
    TINYAUTH_SERVER_ADDRESS: '127.0.0.1',
    TINYAUTH_SERVER_PORT: port,
    TINYAUTH_AUTH_USERSFILE: `${directory}/users`,
    TINYAUTH_AUTH_SECURECOOKIE: 'true',
    TINYAUTH_AUTH_TRUSTEDPROXIES: '127.0.0.1',
    TINYAUTH_DATABASE_PATH: `${directory}/tinyauth.db`,
    TINYAUTH_OIDC_PRIVATEKEYPATH: `${directory}/key`,
    TINYAUTH_OIDC_PUBLICKEYPATH: `${directory}/key.pub`,
    TINYAUTH_RESOURCES_ENABLED: 'false',
    TINYAUTH_ANALYTICS_ENABLED: 'false',
    TINYAUTH_LOG_LEVEL: 'warn',
    TINYAUTH_LOG_STREAMS_HTTP_ENABLED: 'false',
  };
}

const users = `${user.name}:${user.hash}\n`;

export const tinyauth: Contestant = {
  name: 'tinyauth',
  variable: 'TINYAUTH',
  command: 'tinyauth',
  version: ['version'],
  configuration: [
    {
      name: 'environment',
      language: 'sh',
      text: Object.entries(configuration('3000', '/config'))
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    },
    { name: 'users', language: 'text', text: users },
  ],
  does: 'Reads the session from SQLite, and checks the rules of the app: users, networks and paths.',
  more: 'Rules from the labels of containers, LDAP, sign-in at providers of OAuth 2, and it is an OpenID Connect provider.',
  start: async (program) => {
    const directory = temporaryDirectory('tinyauth');
    const port = String(await freePort());
    const address = `127.0.0.1:${port}`;
    writeFileSync(join(directory, 'users'), users);
    const { pid } = await startServer(
      { command: program, arguments: [], environment: configuration(port, directory) },
      address,
      join(directory, 'log'),
    );
    const body = JSON.stringify({ username: user.name, password: user.password });
    const cookie = cookiesOf(await post({ address, uri: '/api/user/login', body }));
    return {
      address,
      path: '/api/auth/nginx',
      origin: `https://${site.recorder}`,
      cookie,
      pid,
      signOut: () => post({ address, uri: '/api/user/logout', cookie, body: '{}' }),
    };
  },
};
