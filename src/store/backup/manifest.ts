import * as v from 'valibot';
import { fileNames } from './contents.ts';

export const manifestName = 'manifest.json';

const size = v.pipe(v.number(), v.integer(), v.minValue(0));
const version = v.pipe(v.number(), v.integer(), v.minValue(1));

const manifest = v.strictObject({
  /** Of the manifest and of the contents of a backup. */
  format: v.literal(1),
  /** Version of the program that made it. */
  program: v.string(),
  made_at: v.pipe(v.string(), v.isoTimestamp()),
  /** Versions of the schemas. */
  schemas: v.strictObject({ 'postern.db': version, 'activity.db': v.optional(version) }),
  files: v.record(
    v.picklist(fileNames),
    v.strictObject({ size, sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
  ),
});

/** The files of a backup, with their checksums. */
export type Manifest = v.InferOutput<typeof manifest>;

/** @returns undefined when the text is no manifest, is of a later format, or names a file that no backup has */
export function parseManifest(text: string): Manifest | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(manifest, document);
  return parsed.success ? parsed.output : undefined;
}
