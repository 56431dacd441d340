/** In one request: few enough for each to arrive soon, so that progress shows. */
const FILES_AT_ONCE = 25;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** The user has so long to press the button, or to add what belongs to one document. */
const GRACE_MS = 1000;

let current: AbortController | undefined;

/**
 * Sends the files of a form in parts, says how far it is, and goes where the answer leads. What was chosen last counts;
 * pressing the form's own button sends it as without script.
 */
export async function sendFiles(form: HTMLFormElement): Promise<void> {
  current?.abort();
  const mine = new AbortController();
  current = mine;
  const { signal } = mine;
  form.addEventListener('submit', () => mine.abort(), { signal });
  const files = [...form.querySelectorAll<HTMLInputElement>('input[type=file]')].flatMap((input) =>
    [...(input.files ?? [])].map((file) => ({ name: input.name, file })),
  );
  const progress = showProgress(form, files.length);
  addEventListener('pagehide', () => progress.remove(), { signal }); // it may come back as it was
  const grace = new Promise((resolve) => setTimeout(resolve, form.hidden ? 0 : GRACE_MS));
  try {
    const next = await sendParts(form.action, files, signal, (done) => progress.say(done));
    await grace;
    if (signal.aborted || !next) return;
    progress.say(files.length);
    location.assign(next);
  } catch (error) {
    await grace;
    if (signal.aborted) return;
    progress.remove();
    // Its page says what is wrong, beside the control; of many it would have to be sent all once more.
    if (files.length <= FILES_AT_ONCE) form.submit();
    else
      progress.fail(
        error instanceof Refused ? error.message : 'No se pudieron enviar los archivos. Intenta de nuevo.',
      );
  } finally {
    if (signal.aborted && current === mine) progress.remove();
  }
}

interface ChosenFile {
  /** of its control */
  name: string;
  file: File;
}

class Refused extends Error {}

async function sendParts(
  action: string,
  files: readonly ChosenFile[],
  signal: AbortSignal,
  onDone: (count: number) => void,
): Promise<string | undefined> {
  let answer: { next?: string; lote?: string; message?: string } = {};
  let done = 0;
  for (const part of partsOf(files)) {
    const body = new FormData();
    body.append('total', String(files.length));
    if (answer.lote) body.append('lote', answer.lote);
    for (const { name, file } of part) body.append(name, file);
    const sent = await fetch(action, {
      method: 'POST',
      body,
      signal,
      headers: { accept: 'application/json' },
    });
    answer = await sent.json();
    if (!sent.ok) throw new Refused(answer.message);
    done += part.length;
    onDone(done);
  }
  return answer.next;
}

/** In the order of their names, those that differ but in the ending together: an XML and its PDF. */
function partsOf(files: readonly ChosenFile[]): ChosenFile[][] {
  const parts: ChosenFile[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  let stem = '';
  for (const chosen of [...files].sort((a, b) => (stemOf(a) < stemOf(b) ? -1 : 1))) {
    const { size } = chosen.file;
    const last = parts.at(-1);
    const isFull = !last || last.length >= FILES_AT_ONCE || bytes + size > BYTES_AT_ONCE;
    if (isFull && (!last || stemOf(chosen) !== stem)) {
      parts.push([chosen]);
      bytes = size;
    } else {
      last!.push(chosen);
      bytes += size;
    }
    stem = stemOf(chosen);
  }
  return parts;
}

const stemOf = ({ name, file }: ChosenFile) =>
  // The PDF of its own control belongs to the one document that there is.
  name === 'pdf' ? '' : file.name.replace(/\.\w{1,5}$/, '').toLowerCase();

/** "Enviando 40 de 200 archivos", above the form. */
function showProgress(form: HTMLFormElement, total: number) {
  document.querySelector('[data-sending]')?.remove();
  const note = document.createElement('div');
  note.className = 'alert info';
  note.role = 'status';
  note.dataset.sending = '';
  note.innerHTML = '<div><p></p><progress aria-label="Archivos enviados"></progress></div>';
  const [text, bar] = [note.querySelector('p')!, note.querySelector('progress')!];
  bar.max = total;
  const main = document.querySelector('main')!;
  (form.hidden ? main.querySelector('.page-head') : form)?.[form.hidden ? 'after' : 'before'](note);
  const say = (words: string) => {
    text.textContent = words;
  };
  const sayDone = (done: number) => {
    bar.value = done;
    if (done >= total) say('Leyendo lo que dicen…');
    else say(total === 1 ? 'Enviando el archivo…' : `Enviando ${done} de ${total} archivos…`);
  };
  sayDone(0);
  return {
    say: sayDone,
    remove: () => note.remove(),
    fail: (words: string) => {
      note.className = 'alert error';
      note.role = 'alert';
      bar.remove();
      say(words);
      (form.hidden ? main : form).prepend(note);
    },
  };
}
