import type { DomainError } from '../../../shared/errors.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Said } from '../../shell/said.tsx';

export const Refused = ({ problem }: { problem: Pick<DomainError, 'message'> | undefined }) =>
  problem && (
    <Alert tone="error">
      <Said text={problem.message} />
    </Alert>
  );
