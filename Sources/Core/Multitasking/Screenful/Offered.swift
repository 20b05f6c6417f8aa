import Notices
import Windows

/// Refuses actions that an idiom does not offer, by finger, pointer, key or script (`Offers`).
extension Screenful {
    func offers(_ offer: Offers) -> Bool { workspace.idiom.offers.contains(offer) }

    func requireOffer(of action: Action) throws(Refusal) {
        if let need = need(of: action) { try requireOffer(need) }
    }

    func requireOffer(_ need: Offers) throws(Refusal) {
        guard !offers(need) else { return }
        let name = Offers.names.first { $0.option == need }?.name ?? "this"
        throw Refusal("the idiom \(workspace.family.name) does not offer \(name)")
    }

    private func need(of action: Action) -> Offers? {
        // A sheet, or a further window that stands on the app like one, leads back to the app.
        if case .close(let window) = action, let id = window ?? workspace.focus, case .dialog = workspace.place(of: id) { return nil }
        // To arrange a window that is not in sight is to go to it.
        if let window = action.arranges, !workspace.isShown(window) { return .switching }
        return action.need
    }
}
