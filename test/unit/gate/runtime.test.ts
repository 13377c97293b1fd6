import { loadFeatures } from '../../../src/features/index.ts';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../../src/clock.ts';
import { configurationReader } from '../../../src/config/load.ts';
import { createReloadRecord } from '../../../src/config/reload-report.ts';
import { createCurrent } from '../../../src/gate/current.ts';
import { createRuntime, type Runtime } from '../../../src/gate/runtime.ts';
import { openServices } from '../../../src/gate/services.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { patience } from '../../support/patience.ts';
import { projectRoot } from '../../support/start-gateway.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

const files = {
  jwtSecret: 'a secret of more than enough characters '.repeat(2),
  storeKey: 'a key of the tests',
  recorderCertificate: undefined,
  housePicture: undefined,
  certificate: undefined,
};

test('a new runtime changes nothing until it starts: then it asks the recorder and warns', async () => {
  const asked: Array<string | undefined> = [];
  const recorder = createServer(({ url }, answer) => {
    asked.push(url);
    answer.end('{}');
  }).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  onTestFinished(() => void recorder.close());

  const config = {
    upstream: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
    auth: { roles: { family: ['front'] } },
  };
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'config.yml'), stringify(config));
  const environment = { SERVICE_TRUSTED_HEADERS_FILE: join(projectRoot, 'proxy_trusted_headers.conf') };
  const configuration = configurationReader(environment, projectRoot, 'config.yml')(stringify(config));
  const log: string[] = [];
  const logger = createLogger('debug', { write: (line) => void log.push(line) });
  const current = createCurrent<Runtime>(configuration);
  const closing = new AsyncDisposableStack();
  onTestFinished(() => closing.disposeAsync());
  const reloads = createReloadRecord(configuration, systemClock);
  const opened = await openServices(
    { current, directory, logger, log: { dropped: () => 0 }, clock: systemClock, reloads, closing },
    await loadFeatures(configuration.features),
  );
  // Few enough for a warning.
  const services = { ...opened, openFiles: 1_000 };
  const linesBefore = log.length;

  const runtime = createRuntime(configuration, files, services, {
    events: 'unix:/nowhere',
    current: current.runtime,
    check: () => () => undefined,
    readConfiguration: () => configuration,
  });
  await pause(100);
  expect(asked).toEqual([]);
  expect(log.slice(linesBefore)).toEqual([]);
  expect(current.deciding()).toBeUndefined();

  current.become(configuration, runtime);
  runtime.start();
  expect(log.slice(linesBefore).join('')).toContain('ulimit -n');
  await vi.waitFor(
    () => {
      expect(asked).toContain('/api/config');
      expect(asked).toContain('/api/profile');
    },
    { timeout: patience },
  );
});
