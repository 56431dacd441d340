export function createUploadForm(
  file: { name: string; text: string | Uint8Array<ArrayBuffer> } | undefined,
  fields: Readonly<Record<string, string>> = {},
): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  if (file) body.append('file', new File([file.text], file.name));
  return { method: 'POST', body };
}
