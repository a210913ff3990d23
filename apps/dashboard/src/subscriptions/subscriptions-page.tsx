export function SubscriptionsPage() {
  return (
    <div class="page">
      <h1>Subscriptions</h1>
    </div>
  );
}
