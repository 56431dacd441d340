import { describeSignatureNote, type SignatureNote } from '../../../shared/payment-batches.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';

interface SignatureNotesProps {
  notes: readonly (SignatureNote | null | undefined)[];
  timeZone: string;
  /** the note that this user's own signature would get */
  own?: string;
}

export function SignatureNotes({ notes, timeZone, own }: SignatureNotesProps) {
  const present = notes.filter((note) => note !== null && note !== undefined);
  if (present.length === 0 && !own) return null;
  return (
    <Alert tone="warning" heading="Una cuenta que estuvo en otras manos" isDismissible={false}>
      {own && <p>Si firmas, tu firma queda marcada: {own}</p>}
      {present.map((note) => (
        <p key={note.text}>{describeSignatureNote(note, timeZone)}</p>
      ))}
    </Alert>
  );
}
