/** Number of letters in a pairing code. */
export const codeLength = 8;

/** A box is empty or has one capital letter. */
export type Boxes = readonly string[];

/** @returns a box for each letter of a code as someone typed it, in any case, with or without the hyphen */
export function boxesOf(code: string): Boxes {
  return spread(Array<string>(codeLength).fill(''), 0, code).boxes;
}

/** @returns the code in the form that screens show, such as BCDF-GHJK */
export function codeIn(boxes: Boxes): string {
  return `${boxes.slice(0, 4).join('')}-${boxes.slice(4).join('')}`;
}

interface Typed {
  readonly boxes: Boxes;
  /** Number of the box that has the focus next. */
  readonly next: number;
  /** The last letter was typed, and all others are there: nothing else needs to be pressed. */
  readonly submits: boolean;
}

/**
 * Puts the text of one box where it belongs: a letter there, pasted ones in the boxes after it.
 * @param at number of the box
 * @param text everything that the box has now, which may include its previous letter
 */
export function spread(boxes: Boxes, at: number, text: string): Typed {
  const typed = lettersOf(text);
  const previous = boxes[at] ?? '';
  // A letter typed beside the previous one replaces it.
  const letters = typed.length === 2 && previous !== '' ? typed.replace(previous, '') : typed;
  const now = [...boxes];
  // An empty box stays empty where nothing but a hyphen or a digit was typed.
  now.splice(at, Math.max(1, letters.length), ...(letters === '' ? [''] : letters));
  const kept = now.slice(0, codeLength);
  const end = at + letters.length;
  return {
    boxes: kept,
    next: Math.min(end, codeLength - 1),
    submits: letters !== '' && end >= codeLength && kept.every((letter) => letter !== ''),
  };
}

function lettersOf(text: string): string {
  return text.toUpperCase().replace(/[^A-Z]/g, '');
}
