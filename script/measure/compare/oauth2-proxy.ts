import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  return [
    `http_address = "${address}"`,
    'reverse_proxy = true',
    'trusted_proxy_ips = [ "127.0.0.1/32" ]',
    `htpasswd_file = "${directory}/users"`,
    '# No provider is asked: the user is in the file.',
    'provider = "github"',
    'client_id = "unused"',
    'client_secret = "unused"',
    'email_domains = [ "*" ]',
    `cookie_secret = "${secret}"`,
    `cookie_domains = [ ".${site.recorder}" ]`,
    `whitelist_domains = [ ".${site.recorder}" ]`,
    'set_xauthrequest = true',
    'upstreams = [ "static://202" ]',
    'request_logging = false',
    'auth_logging = false',
    '',
  ].join('\n');
}

const users = `${user.name}:${user.hash}\n`;

export const oauth2Proxy: Contestant = {
  name: 'oauth2-proxy',
  variable: 'OAUTH2_PROXY',
  command: 'oauth2-proxy',
  version: ['--version'],
  module: 'github.com/oauth2-proxy/oauth2-proxy/v7@v7.15.6',
  configuration: [
    {
      name: 'oauth2-proxy.cfg',
      language: 'toml',
      text: configuration({
        address: '127.0.0.1:4180',
        directory: '/config',
        secret: '32 random characters',
      }),
    },
    { name: 'users', language: 'text', text: users },
  ],
  does: 'Decrypts the session, which is in the cookie. It looks at the URL only where routes without sign-in are configured.',
  more: 'Sign-in at many providers of OAuth 2 and OpenID Connect, with refreshed tokens, and sessions in Redis.',
  start: async (program) => {
    const directory = temporaryDirectory('oauth2-proxy');
    const address = `127.0.0.1:${await freePort()}`;
    const file = join(directory, 'oauth2-proxy.cfg');
    writeFileSync(file, configuration({ address, directory, secret: randomBytes(16).toString('hex') }));
    writeFileSync(join(directory, 'users'), users);
    const { pid } = await startServer(
      { command: program, arguments: ['--config', file] },
      address,
      join(directory, 'log'),
    );
    const form = { host: site.recorder, type: 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ username: user.name, password: user.password }).toString();
    const cookie = cookiesOf(await post({ address, uri: '/oauth2/sign_in', ...form, body }));
    return {
      address,
      path: '/oauth2/auth',
      origin: `https://${site.recorder}`,
      cookie,
      pid,
      signOut: () => post({ address, uri: '/oauth2/sign_out', ...form, cookie }),
    };
  },
};
