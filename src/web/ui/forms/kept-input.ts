/** One field of a form, as it would be sent. */
type Field = readonly [name: string, value: string];

/** Input of a dialog that was interrupted by a login. */
interface KeptInput {
  /** Only the user who typed it sees it again. */
  readonly user: string;
  /** Path and query of the page. */
  readonly at: string;
  /** Which of the page's dialogs. */
  readonly place: string;
  readonly dialog: unknown;
  readonly fields: readonly Field[];
}

const key = 'postern.input';
const here = () => location.pathname + location.search;

let opened: Pick<KeptInput, 'user' | 'place' | 'dialog'> | undefined;
let openForm: HTMLFormElement | undefined;
let returning: readonly Field[] | undefined;

/** Notes which dialog is open, if any. The kept value holds no secret. */
export function noteDialog(dialog: typeof opened): void {
  opened = dialog;
}

/** Notes the form of the open dialog, if any. */
export function noteForm(form: HTMLFormElement | undefined): void {
  openForm = form;
}

/** Before the page is left for a login, keeps a dialog's input in this tab, except passwords. */
export function keepInput(): void {
  if (opened === undefined || openForm === undefined) return;
  const kept: KeptInput = { ...opened, at: here(), fields: fieldsOf(openForm) };
  sessionStorage.setItem(key, JSON.stringify(kept));
}

/** @returns the dialog of this place to open again, once. It discards another user's input */
export function takeDialog(user: string, place: string): unknown {
  const found = JSON.parse(sessionStorage.getItem(key) ?? 'null') as KeptInput | null;
  if (found === null || (found.user === user && found.at === here() && found.place !== place))
    return undefined;
  sessionStorage.removeItem(key);
  if (found.user !== user || found.at !== here()) return undefined;
  returning = found.fields;
  return found.dialog;
}

/** Discards kept input: another dialog is opened. */
export function forgetFields(): void {
  returning = undefined;
}

/** Fills a form with its kept input. */
export function fillAgain(form: HTMLFormElement): void {
  const fields = returning;
  if (fields === undefined) return;
  fill(form, fields);
  setTimeout(() => {
    returning = undefined;
    // Some fields appear only when others have their value.
    fill(form, fields);
  });
}

function fill(form: HTMLFormElement, fields: readonly Field[]): void {
  for (const element of controlsOf(form)) {
    const values = fields.filter(([name]) => name === element.name).map(([, value]) => value);
    if (element instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(element.type)) {
      if (element.checked === values.includes(element.value)) continue;
      element.checked = !element.checked;
    } else {
      const [value] = values;
      if (value === undefined || value === element.value) continue;
      element.value = value;
    }
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

function fieldsOf(form: HTMLFormElement): Field[] {
  const names = new Set(controlsOf(form).map(({ name }) => name));
  return [...new FormData(form)].flatMap(([name, value]) =>
    names.has(name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Named fields except passwords, whether those are revealed or not. */
function controlsOf(form: HTMLFormElement): Control[] {
  const isKept = (element: Element): element is Control =>
    (element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement) &&
    element.name !== '' &&
    element.type !== 'password' &&
    !element.autocomplete.includes('password');
  return [...form.elements].filter(isKept);
}
