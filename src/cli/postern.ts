#!/usr/bin/env node
import { programDirectory as root } from '../version.ts';
import { outliveOutput } from './frame/output.ts';
import { runPostern } from './run-postern.ts';

outliveOutput();
await runPostern({ environment: process.env, root }, process.argv.slice(2));
