import * as v from 'valibot';
import { accentForm } from '../policy/accent.ts';
import { controlCharacter, described } from './values.ts';

const longestName = 40;

/** Shown before anyone signs in: one line that reads in one direction. */
export const houseName = v.pipe(
  v.string('a text'),
  v.regex(/\S/, 'text that is not empty'),
  v.trim(),
  v.maxLength(longestName, `at most ${longestName} characters`),
  v.check((value) => !controlCharacter.test(value), 'a text on one line, without control characters'),
);

export const accent = v.pipe(v.string('a colour'), v.regex(accentForm, 'a colour such as "#1f6f5e"'));

/** Only a name, so that it cannot lead out of the directory. */
const pictureName = v.pipe(
  v.string('the name of a file'),
  v.regex(
    /^(?!\.)[\w.-]{1,100}\.(?:png|jpe?g|webp)$/i,
    'the name of a .png, .jpg or .webp file in the directory of config.yml, without a folder',
  ),
);

const landings = ['home', 'recorder'] as const;

/** Guests see name, logo and accent before they sign in. */
export const ui = {
  landing: described(
    v.nullish(v.picklist(landings, `one of ${landings.join(', ')}`), 'home'),
    "Where people land after signing in, unless they asked for another page: `home` is Postern's Home, `recorder` the recorder's UI.",
  ),
  name: described(v.nullish(houseName), 'Name of the house, on the pages that guests see. Default: Postern.'),
  logo: described(
    v.nullish(pictureName),
    'Picture in the arch of these pages: at most 512 KiB. Everyone can read it, without signing in. Default: the drawn gate.',
  ),
  accent: described(
    v.nullish(accent),
    'Colour of buttons and links, in quotation marks. Postern adjusts it until it is readable.',
  ),
};
