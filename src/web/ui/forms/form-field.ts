/** Why a form was not sent. */
export class FormProblem extends Error {
  override readonly name = 'FormProblem';
}

/** @returns the text of a field */
export function fieldOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
