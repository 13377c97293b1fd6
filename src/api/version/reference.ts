import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';

export const ownVersion: Reference = {
  summary: 'The version of the gate',
  answers: { 200: { meaning: 'As in `package.json`.', body: v.strictObject({ version: v.string() }) } },
};
