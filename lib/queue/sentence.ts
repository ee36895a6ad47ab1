/** A sentence of a message, where there is one. */
export function sentence(text: string | undefined): string {
  return text === undefined ? '' : `${text} `;
}
