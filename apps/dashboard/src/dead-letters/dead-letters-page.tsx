export function DeadLettersPage() {
  return (
    <div class="page">
      <h1>Dead letters</h1>
    </div>
  );
}
