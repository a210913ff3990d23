export function EventsPage() {
  return (
    <div class="page">
      <h1>Events</h1>
    </div>
  );
}
