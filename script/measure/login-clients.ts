import { Pool } from 'undici';

/** `login-clients.ts SOCKET PASSWORD CLIENTS SECONDS`: signs in without pause; prints how many logins succeeded. */
const [socketPath = '', password = '', clients = '1', seconds = '5'] = process.argv.slice(2);
const pool = new Pool('http://gate', { socketPath, connections: Number(clients) });
const end = performance.now() + Number(seconds) * 1_000;
let succeeded = 0;

async function client(): Promise<void> {
  while (performance.now() < end) {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/api/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'admin', password }),
    });
    await body.dump();
    if (statusCode === 200) succeeded += 1;
    // A flood retries at once when it is rejected; a loop that measures itself waits.
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

await Promise.all(Array.from({ length: Number(clients) }, client));
process.stdout.write(`${succeeded}\n`);
await pool.destroy();
