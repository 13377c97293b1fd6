/*
 * Names that anyone can get, or that everyone has. The lists need not be whole: they are for warnings.
 */

/** Below these, anyone can have a name: dynamic DNS, hosting and tunnels. */
export const sharedDomains: ReadonlySet<string> = new Set([
  'co.uk',
  'com.au',
  'com.br',
  'ddns.net',
  'duckdns.org',
  'dynu.net',
  'dyndns.org',
  'github.io',
  'herokuapp.com',
  'hopto.org',
  'myds.me',
  'myfritz.net',
  'netlify.app',
  'ngrok.app',
  'ngrok.io',
  'no-ip.org',
  'pages.dev',
  'synology.me',
  'trycloudflare.com',
  'ts.net',
  'ui.nabu.casa',
  'vercel.app',
  'workers.dev',
  'zapto.org',
]);

/** As in `auth.oidc.allowed_emails`. */
export const publicMailDomains: ReadonlySet<string> = new Set([
  '@aol.com',
  '@freenet.de',
  '@gmail.com',
  '@gmx.de',
  '@gmx.net',
  '@googlemail.com',
  '@hotmail.com',
  '@icloud.com',
  '@live.com',
  '@mail.ru',
  '@outlook.com',
  '@proton.me',
  '@protonmail.com',
  '@t-online.de',
  '@web.de',
  '@yahoo.com',
]);

/** Groups that sign-on products give to each of their users, in lower case. */
export const everyonesGroups: ReadonlySet<string> = new Set([
  'all users',
  'authenticated users',
  'domain users',
  'everyone',
  'offline_access',
  'uma_authorization',
]);
