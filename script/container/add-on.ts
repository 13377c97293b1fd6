// Starts the add-on of Home Assistant. Home Assistant starts it as root, so this program gives the add-on's files to the user of the
// image, becomes that user, and only then loads the rest.
import { lchownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The user and group of the image. */
const owner = { user: 1000, group: 101 };
const optionsFile = process.env['SERVICE_OPTIONS_FILE'] || '/data/options.json';
const root = process.env['SERVICE_CONFIG_DIR'] || '/config';

if (process.getuid?.() === 0) dropRights();
// A name that the bundler leaves alone: what it bundles with this program would run as root.
const gate = './add-on-gate.js';
await import(/* @vite-ignore */ gate);

function dropRights(): void {
  mkdirSync(root, { recursive: true, mode: 0o750 });
  giveAway(root);
  // The Supervisor writes it for root.
  lchownSync(optionsFile, owner.user, owner.group);
  process.setgroups?.([owner.group]);
  process.setgid?.(owner.group);
  process.setuid?.(owner.user);
}

/** Follows no symbolic link: the user may have made one to files of root. */
function giveAway(path: string, isDirectory = true): void {
  lchownSync(path, owner.user, owner.group);
  if (!isDirectory) return;
  for (const entry of readdirSync(path, { withFileTypes: true }))
    giveAway(join(path, entry.name), entry.isDirectory());
}
