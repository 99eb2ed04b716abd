import { describeNotices } from './notices.contract.ts';
import { createLocalNotices } from './notices.ts';

describeNotices('of one process', async () => {
  const notices = createLocalNotices();
  return { here: notices, there: notices, close: notices.close };
});
