// No fault until SIGUSR2: a promise then fails that nobody waits for.
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('Nobody waits for this.'));
});
