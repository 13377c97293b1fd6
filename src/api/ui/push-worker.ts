import { undocumentedEndpoint } from '../endpoint.ts';

/**
 * Shows pushes while no page is open. It runs on its own (Service Workers), takes nothing from the recorder's pages, since its scope ends
 * below `/postern/`, and keeps nothing.
 */
const script = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => {
  const { title, body: what, at, language, tag, page } = event.data.json();
  const body = what + ', ' + new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(at * 1000);
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { page } }));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.page, self.registration.scope);
  event.waitUntil(self.clients.openWindow(url.href));
});
`;

export const sendPushWorker = undocumentedEndpoint({
  method: 'get',
  path: '/postern/push.js',
  level: 'public',
  handle: () => () =>
    new Response(script, {
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
      },
    }),
});
