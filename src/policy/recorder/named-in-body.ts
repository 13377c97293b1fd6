import { isPlainObject, readUnambiguousJson } from '../json.ts';
import { hasHeader, headerValues, type RawHeaders } from '../raw-headers.ts';

/** Names in a body: cameras to export, reviews, or details of an export of the camera in the path. */
export type NamesInBody = 'cameras' | 'reviews' | 'export';

/** The names in a body, before the recorder is asked for their cameras. */
interface NamedInBody {
  readonly reviews: readonly string[];
  readonly cameras: readonly string[];
  /** Paths of pictures, below the recorder's `/clips/`. */
  readonly images: readonly string[];
  /** Begins and ends of periods, which a recorder may accept in either order. Seconds since the epoch. */
  readonly times: readonly number[];
}

/** Bytes of a body that is read. */
export const longestBody = 65_536;

/** More cannot be looked up at once. */
const mostNames = 1_000;

/**
 * Reads the names in a JSON body. Only the exact form that a recorder's UI sends is accepted: anything that a recorder could read
 * differently is refused.
 * @param headers of the request
 * @returns undefined for any other form
 */
export function readBody(names: NamesInBody, body: Uint8Array, headers: RawHeaders): NamedInBody | undefined {
  if (names === 'export' && body.length === 0) return { reviews: [], cameras: [], images: [], times: [] };
  if (body.length > longestBody || !isPlainJson(headers)) return undefined;
  const value = readUnambiguousJson(body);
  if (!isPlainObject(value)) return undefined;
  return readers[names](value);
}

/** JSON without a content coding, declared once: some servers read other types as a form. */
function isPlainJson(headers: RawHeaders): boolean {
  const [type = '', ...others] = headerValues(headers, 'content-type');
  const isJson = /^application\/json(?:; ?charset=utf-8)?$/i.test(type);
  return isJson && others.length === 0 && !hasHeader(headers, 'content-encoding');
}

type Fields = Readonly<Record<string, unknown>>;
type Forms = Readonly<Record<string, (value: unknown) => boolean>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isOptionalBoolean = (value: unknown) => value === undefined || typeof value === 'boolean';
const isTime = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isOptionalText = (value: unknown) => value === undefined || value === null || typeof value === 'string';
const isAbsent = (value: unknown) => value === undefined || value === null;

const isListOf = (value: unknown, isOfForm: (part: unknown) => boolean) =>
  Array.isArray(value) && value.length > 0 && value.length <= mostNames && value.every(isOfForm);

/** Whether an object has exactly these fields, each in its form. */
function hasForm(value: unknown, forms: Forms): value is Fields {
  return (
    isPlainObject(value) &&
    Object.keys(value).every((name) => Object.hasOwn(forms, name)) &&
    Object.entries(forms).every(([name, isOfForm]) => isOfForm(value[name]))
  );
}

const viewed: Forms = {
  ids: (ids) => isListOf(ids, isText),
  reviewed: isOptionalBoolean,
};

function readReviews(value: Fields): NamedInBody | undefined {
  if (!hasForm(value, viewed)) return undefined;
  return { reviews: [...new Set(value['ids'] as string[])], cameras: [], images: [], times: [] };
}

const item: Forms = {
  camera: isText,
  start_time: isTime,
  end_time: isTime,
  image_path: isOptionalText,
  friendly_name: isOptionalText,
  client_item_id: isOptionalText,
};

const batch: Forms = {
  items: (items) => isListOf(items, (value) => hasForm(value, item)),
  // A case may hold exports of any camera.
  export_case_id: isAbsent,
  new_case_name: isOptionalText,
  new_case_description: isOptionalText,
};

function readExports(value: Fields): NamedInBody | undefined {
  if (!hasForm(value, batch)) return undefined;
  const items = value['items'] as readonly Fields[];
  const images = imagesOf(items);
  const cameras = [...new Set(items.map(({ camera }) => camera as string))];
  const times = items.flatMap(({ start_time: start, end_time: end }) => [start as number, end as number]);
  return images && { reviews: [], cameras, images, times };
}

// Arguments of ffmpeg could name any file, so they are not accepted here.
const single: Forms = {
  source: isOptionalText,
  playback: isOptionalText,
  name: isOptionalText,
  chapters: isOptionalText,
  image_path: isOptionalText,
  cpu_fallback: isOptionalBoolean,
  export_case_id: isAbsent,
};

function readExport(value: Fields): NamedInBody | undefined {
  const images = hasForm(value, single) ? imagesOf([value]) : undefined;
  return images && { reviews: [], cameras: [], images, times: [] };
}

/** @returns undefined if one of them is not the plain path of a picture */
function imagesOf(exports: readonly Fields[]): readonly string[] | undefined {
  const paths = exports.map(({ image_path: path }) => path).filter(isText);
  const images = paths.map((path) => imagePath.exec(path)?.[1]);
  return images.every((image) => image !== undefined) ? [...new Set(images)] : undefined;
}

const readers = { reviews: readReviews, cameras: readExports, export: readExport } as const;

/** The path of a picture in the recorder's database; plain, so that every server reads it alike. */
const imagePath = /^\/media\/frigate(\/clips(?:\/(?!\.)[\p{L}\p{N}_. @-]+)+)$/u;
